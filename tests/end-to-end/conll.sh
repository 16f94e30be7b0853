#!/bin/bash
# conll.sh BIN - conll from the outside: columns to svmlight data, and predictions back to columns; what it
# refuses; and with RRM_DATASETS the sets of CoNLL-2000 against an encoder that is written anew in Python.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
conll=$bin/conll

# same FILE WHAT: the file is what standard input has.
same() { cmp -s - "$1" || { fail "$2: $1 is"; head -n 20 "$1" >&2; }; }

# refuses STATUS WORDS ARGUMENTS...: conll prints one line that has the WORDS, and no data.
refuses() {
    sorry "$1" "$2" conll "${@:3}"
    [ ! -s out ] || fail "output of a run that failed: $*"
}

# The same encoder once more, with dictionaries: NAMES that are frozen, or ''; features that come less often
# than LEAST are left out.
naive() { # TEMPLATE COLUMNS NAMES LEAST
    /usr/bin/python3 - "$@" <<'END'
import re, sys
from collections import Counter
template, columns, names, least = sys.argv[1:]
units = [line.strip() for line in open(template) if line.startswith("U")]
sentences = [[line.split() for line in block.split("\n") if line.split()]
             for block in re.split(r"\n[ \t]*\n", open(columns).read())]
sentences = [sentence for sentence in sentences if sentence]
labels, features = {}, {}
for line in open(names) if names else []:
    kind, number, name = line.split()
    (labels if kind == "label" else features)[name] = int(number)

def at(sentence, i, column):
    if i < 0:
        return "_B-%d" % -i
    return sentence[i][column] if i < len(sentence) else "_B+%d" % (i - len(sentence) + 1)

def expand(unit, sentence, i):
    return re.sub(r"%x\[(-?\d+),(\d+)\]",
                  lambda m: at(sentence, i + int(m[1]), int(m[2])), unit)

rows = [[[expand(unit, sentence, i) for unit in units] for i in range(len(sentence))]
        for sentence in sentences]
count = Counter(f for sentence in rows for row in sentence for f in row)
for q, (sentence, strings) in enumerate(zip(sentences, rows), 1):
    for word, row in zip(sentence, strings):
        if not names:
            labels.setdefault(word[-1], len(labels) + 1)
            for f in row:
                if count[f] >= int(least):
                    features.setdefault(f, len(features) + 1)
        times = Counter(features[f] for f in row if f in features)
        print(labels.get(word[-1], 0), "qid:%d" % q, *("%d:%d" % pair for pair in sorted(times.items())))
END
}

if has_tools 'a naive encoder' python3; then
    against_naive() { # TEMPLATE TRAIN TEST LEAST
        run 0 conll encode -q --min-count "$4" --template "$1" --names names "$2"
        naive "$1" "$2" '' "$4" | same out "$2 as a naive encoder has it, --min-count $4"
        run 0 conll encode -q --freeze --template "$1" --names names "$3"
        naive "$1" "$3" names 1 | same out "$3 with names that are frozen"
    }
else
    against_naive() { run 0 conll encode -q --min-count "$4" --template "$1" --names names "$2"; }
fi

# --- small data, written out
printf 'U0:%%x[-1,0]\n#U1:%%x[9,9]\n\nU2:%%x[0,1]/%%x[1,1]\r\nUbias\nB\nB7\n' >template
printf 'the DT B\r\ndog  NN\tI\n\n\n \t\nthe DT B' >train
run 0 conll encode --template template --names names train
same out small <<END
1 qid:1 1:1 2:1 3:1
2 qid:1 3:1 4:1 5:1
1 qid:2 1:1 3:1 6:1
END
same names small <<END
label 1 B
label 2 I
feature 1 U0:_B-1
feature 2 U2:DT/NN
feature 3 Ubias
feature 4 U0:the
feature 5 U2:NN/_B+1
feature 6 U2:DT/_B+1
END
same err small <<END
2 sentences, 3 words, 2 labels, 6 features
END
run 0 conll encode -q --min-count 2 --template template --names rare train
quiet '-q'
same out --min-count <<END
1 qid:1 1:1 2:1
2 qid:1 2:1
1 qid:2 1:1 2:1
END
printf 'label 1 B\nlabel 2 I\nfeature 1 U0:_B-1\nfeature 2 Ubias\n' | same rare --min-count

# Equal features are counted together; a word may have none.
printf 'U:%%x[-1,0]\nU:%%x[1,0]\n' >bag
printf 'a X\nb X\na X\n' >words
run 0 conll encode -q --template bag --names names-bag words
printf '1 qid:1 1:1 2:1\n1 qid:1 3:2\n1 qid:1 2:1 4:1\n' | same out 'a bag of words'
printf 'c ?\nd X\ne Y\n' >strange
run 0 conll encode --template bag --names names-bag --freeze strange
printf '0 qid:1 1:1\n1 qid:1\n0 qid:1 4:1\n' | same out 'frozen names'
has 'labels that are not in names-bag, written as 0: 2$' err
cut -d ' ' -f 1 strange >bare
run 0 conll encode -q --template bag --names names-bag --freeze --unlabeled bare
printf '? qid:1 1:1\n? qid:1\n? qid:1 4:1\n' | same out 'no labels'
gzip -c train >train.gz
run 0 conll encode -q --template template --names again train.gz
cmp -s again names || fail 'a packed file'
"$conll" encode -q --template template --names again - <train >out || fail 'standard input'
cmp -s again names || fail 'standard input'

# --- back
printf '2\n1\n1\n' >predicted
run 0 conll decode --names names train predicted
printf 'the DT B I\ndog  NN\tI\tB\n\n\n\nthe DT B B\n' | same out numbers
printf 'labels B I\nI 0.1 0.9\nB 0.7 0.3\r\n1.0 0.8 0.2' >predicted
run 0 conll decode --names names train predicted
printf 'the DT B I\ndog  NN\tI\tB\n\n\n\nthe DT B B\n' | same out 'a header, names and probabilities'

# --- errors
run 2 conll
has '^usage: conll encode' out
run 0 conll --help
has 'min-count' out
refuses 2 'encode or decode expected, not code' code
refuses 2 'encode takes COLUMNS' encode --template template --names names
refuses 2 'decode takes COLUMNS and PREDICTIONS' decode --names names train
refuses 2 'template is missing' encode --names names train
refuses 2 'names is missing' encode --template template train
refuses 2 'names is missing' decode train predicted
refuses 2 'template is an option of encode, not of decode' decode --template template --names names train predicted
refuses 2 'unlabeled needs --freeze' encode --unlabeled --template template --names names train
refuses 2 'overwritten' encode --template template --names train train
refuses 2 'standard output has the data' encode --template template --names - train
refuses 2 'only one file' decode --names names - -
refuses 2 'min-count' encode --min-count 0 --template template --names names train
refuses 1 'nowhere' encode --template template --names nowhere/names train

# wrong FILE LINE WORDS CONTENT: as columns, template, names or predictions, by the name of the file
wrong() {
    local place=$1:$2:
    [ "$2" -gt 0 ] || place=$1:
    printf '%b' "$4" >"$1"
    case $1 in
    bad-columns) refuses 1 "^$place.*$3" encode -q --template template --names other "$1" ;;
    bad-template) refuses 1 "^$place.*$3" encode -q --template "$1" --names other train ;;
    bad-names) refuses 1 "^$place.*$3" encode -q --freeze --template template --names "$1" train ;;
    bad-predictions) refuses 1 "^$place.*$3" decode --names names train "$1" ;;
    esac
    [ ! -e other ] || fail "names of a run that failed: $4"
}
wrong bad-columns 0 'no words' ''
wrong bad-columns 0 'no words' '\n \n'
wrong bad-columns 3 '2 columns, but 3' 'a b c\n\na b\n'
wrong bad-columns 2 '4 columns, but 3' 'a b c\na b c d\n'
wrong bad-columns 2 'NUL' 'a b c\na\0 b c\n'
wrong bad-columns 1 'carriage return' 'a b\rc d\n'
wrong bad-columns 0 'no column besides' 'a\n'
wrong bad-template 0 'no feature' '# nothing\nB\n'
wrong bad-template 2 'begins with U, B or #' 'U\nV0:%x[0,0]\n'
wrong bad-template 1 'column 2 of %x, but the words have 2' 'U:%x[0,2]\n'
wrong bad-template 1 'not supported' 'B:%x[0,0]\n'
wrong bad-template 1 'no blanks' 'U: %x[0,0]\n'
for macro in '%%' '%%y' '%%x' '%%x[' '%%x[]' '%%x[0]' '%%x[0,]' '%%x[0,0' '%%x[+1,0]' '%%x[--1,0]' '%%x[1001,0]' \
    '%%x[0,-1]' '%%x[0.5,0]' '%%x[99999999999999999999,0]' '%%x[0,99999999999999999999]'; do
    wrong bad-template 1 'ROW,COLUMN' "U:$macro"
done
wrong bad-names 0 'names no label' '\n'
wrong bad-names 2 'label 3 where number 2' 'label 1 B\nlabel 3 I\n'
wrong bad-names 2 'feature 2 where number 1' 'label 1 B\nfeature 2 U\n'
wrong bad-names 2 "'B' has a number already" 'label 1 B\nlabel 2 B\n'
wrong bad-names 1 'label NUMBER NAME' 'lable 1 B\n'
wrong bad-predictions 4 'more predictions' '1\n1\n1\n1\n'
wrong bad-predictions 2 "name or number ''" '1\n\n1\n'
wrong bad-predictions 1 "name or number '3'" '3\n'
wrong bad-predictions 1 "name or number '0'" '0\n'
wrong bad-predictions 1 "name or number '1.5'" '1.5\n'
wrong bad-predictions 1 "name or number 'labels'" 'labels\n'
printf '1\n' >predicted
refuses 1 '^train:2: no prediction.*predicted ends' decode --names names train predicted
printf 'label 1 2\nlabel 2 1\n' >crossed
refuses 1 'the number of a label and the name of another' decode --names crossed train predicted
"$conll" encode -q --template template --names other train >/dev/full 2>err &&
    fail 'a full disk'
[ ! -e other ] || fail 'names of data that were not written'

# --- the samples
head -n 2000 "$data/chunks.train" >some.train
against_naive "$data/chunking.template" "$data/chunks.test" some.train 3
against_naive "$data/chunking.template" "$data/chunks.train" "$data/chunks.test" 1
cut -d ' ' -f 3 "$data/chunks.test" | sed '/^$/d' >predicted
run 0 conll decode --names names "$data/chunks.test" predicted
sed 's/ \([^ ]*\)$/ \1 \1/' "$data/chunks.test" | same out 'the labels themselves as predictions'

# --- a model of the samples: the predicted labels beside the words
run 0 conll encode -q --template "$data/chunking.template" --names names "$data/chunks.train"
mv out train.svm
run 0 conll encode -q --freeze --template "$data/chunking.template" --names names "$data/chunks.test"
mv out test.svm
status 0 -q -L crf -j 1 train.svm model
for form in '' '--names names' '-d --names names' '-b 1 --names names' '-b 1'; do
    # shellcheck disable=SC2086
    "$bin/predict" $form test.svm model predicted >measures || fail "predict $form"
    run 0 conll decode --names names "$data/chunks.test" predicted
    awk 'NF { n++; good += $3 == $4 } END { printf "(%d/%d)\n", good, n; exit !(good > 0.95 * n) }' out >counted ||
        fail "predict $form: $(cat counted) right"
    has "^Accuracy = .*$(cat counted)" measures
    cut -d ' ' -f 1-3 out | same "$data/chunks.test" "the columns before the prediction, $form"
done
has "^Accuracy = .*/$(grep -c . "$data/chunks.test"))" measures

# A label that training did not have counts as an error, here for a word that was right before.
place=$(grep -n . out | awk '$3 == $4 { print; exit }' | cut -d : -f 1)
sed "${place}s/[^ ]*\$/NEW/" "$data/chunks.test" >strange
run 0 conll encode -q --freeze --template "$data/chunking.template" --names names strange
"$bin/predict" out model predicted >measures 2>err
right=$(tr -d '()' <counted)
has "^Accuracy = .*($((${right%/*} - 1))/${right#*/})" measures

# --- real data
train_text=${RRM_DATASETS:-}/conll2000.train.txt.gz test_text=${RRM_DATASETS:-}/conll2000.test.txt.gz
has_sets 'CoNLL-2000' conll2000.train.txt.gz conll2000.test.txt.gz || exit $((failures > 0))
gzip -dc "$train_text" >train.txt
gzip -dc "$test_text" >test.txt
head -n 4000 test.txt >some.txt
head -n 3000 train.txt >head.txt
against_naive "$data/chunking.template" some.txt head.txt 2
run 0 conll encode --template "$data/chunking.template" --names names "$train_text"
# 7,448,606 weights, CRF++ says of this template: a feature a label, and 22 x 22 transitions
printf '8936 sentences, 211727 words, 22 labels, %d features\n' $(((7448606 - 22 * 22) / 22)) | same err 'CoNLL-2000'
head -n 30000 train.txt >some.txt
head -n "$(grep -c . some.txt)" out | sed 's/ .*//; s/^/ /' >predicted
run 0 conll decode --names names some.txt predicted
sed 's/ \([^ ]*\)$/ \1 \1/' some.txt | same out 'the numbers themselves as predictions'
exit $((failures > 0))
