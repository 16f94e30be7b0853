#!/bin/bash
# convert.sh BIN - convert from the outside: tables to data, and back; test data by the names of the training data;
# missing values; what is refused.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

prints() { printf -- "$1" >expected; cmp -s out expected || { fail "not what was expected"; cat out >&2; }; }

# ---- encode, back, predictions

cat >train.csv <<'END'
age,color,"my city",zip,label
1,red,"New York, NY",02138,yes
2.5,blue,Paris,02139,no
,red,"a ""q"" = b",1,yes
END
run 0 convert encode --names names --categories zip train.csv
cp out train.svm
prints '1 1:1 2:1 3:1 4:1\n2 1:2.5 5:1 6:1 7:1\n1 2:1 8:1 9:1\n'
has '^3 rows, 9 features, 2 names of labels; the first line is a header$' err
has '^missing values, which count as 0: 1; see --missing$' err
has '^the label is column 5, label$' err
cat >expected <<'END'
# label column: label
label 1 yes
label 2 no
feature 1 age
feature 2 color=red
feature 3 my%20city=New%20York,%20NY
feature 4 zip=02138
feature 5 color=blue
feature 6 my%20city=Paris
feature 7 zip=02139
feature 8 my%20city=a%20"q"%20%3D%20b
feature 9 zip=1
END
cmp names expected || fail 'the names'
run 0 convert table --names names train.svm
has '^label,age,color,my city,zip$' out
has '^yes,1,red,"New York, NY",02138$' out
has '^no,2.5,blue,Paris,02139$' out
has '^yes,0,red,"a ""q"" = b",1$' out
run 0 convert table train.svm
has '^label,1,2,3,4,5,6,7,8,9$' out
has '^2,2.5,0,0,0,1,1,1,0,0$' out

# Columns in another order, a new text, a new label, a column more.
printf 'color;label;more;age;zip;my city\nred;no;1;4;02139;Paris\ngreen;maybe;2;;7;Paris\n' >test.csv
run 0 convert encode --names names --freeze test.csv
prints '2 1:4 2:1 6:1 7:1\n? 6:1\n'
has '^the label is column 2, label$' err
has '^columns that --names does not have, left out: 1, such as more$' err
has '^labels that have no number, written as ?: 1$' err
has '^texts that have no feature, left out: 2$' err
cp out test.svm
sorry 1 'column my%20city is a feature of --names: give another --label or --unlabeled' convert encode --names names --freeze --label 6 test.csv
cut -d ';' -f 1,3-6 test.csv >bare.csv
"$bin/convert" encode -q --names names --freeze --unlabeled - <bare.csv >out 2>err || fail "a pipe: $(cat err)"
prints '? 1:4 2:1 6:1 7:1\n? 6:1\n'
cut -d ';' -f 2,4 test.csv | "$bin/convert" encode --names names --freeze --label label - >out 2>err || fail "columns less: $(cat err)"
prints '2 1:4\n?\n'
has '^columns of --names that the table does not have, which count as 0: 3, such as color$' err
printf 'Age;Color;label\n1;red;no\n' >other-names.csv
sorry 1 'no column is a feature of --names, which has age; see --header and --separator' convert encode --names names --freeze other-names.csv
printf 'labels 1 2\n2 0.1 0.9\n1 0.8 0.2\n' >predictions
run 0 convert decode --names names test.csv predictions
prints 'color;label;more;age;zip;my city;predicted\nred;no;1;4;02139;Paris;no\ngreen;maybe;2;;7;Paris;yes\n'

# The label of a table that has more columns than the features and the label, by names that have its column or not.
printf 'a,c,y\n1,red,1\n2,blue,0\n3,red,1\n' >first.csv
run 0 convert encode --names first first.csv
has '^# label column: y$' first
printf 'a,c,y,id\n1,red,1,7\n2,red,0,8\n' >more.csv
run 0 convert encode --names first --freeze more.csv
prints '1 1:1 2:1\n0 1:2 2:1\n'
run 0 convert encode --names first --freeze --label id more.csv
prints '7 1:1 2:1\n8 1:2 2:1\n'
printf 'a,c,id,z\n1,red,7,3\n' >unnamed.csv
sorry 1 "no column is the label 'y' of --names; columns that are no feature there: id, z; give --label NAME or --unlabeled" convert encode --names first --freeze unnamed.csv
sorry 1 "no column is the label 'y' of --names" convert encode --names first --freeze --ignore y more.csv
grep -v '#' first >nameless
sorry 1 'does not say which column is the label; columns that are no feature there: y, id; give --label NAME, --unlabeled or --ignore' convert encode --names nameless --freeze more.csv
run 0 convert encode --names nameless --freeze --ignore id more.csv
prints '1 1:1 2:1\n0 1:2 2:1\n'
run 0 convert encode --names nameless --freeze --label y more.csv
prints '1 1:1 2:1\n0 1:2 2:1\n'
printf '1,red,7\n' >bare.csv
run 0 convert encode --names bare bare.csv
has '^the label is column 3$' err
printf '1,red,7,5\n' >wide.csv
run 0 convert encode --names bare --freeze wide.csv
has '^the label is column 3$' err

# Trained and predicted, labels as texts.
run 0 train -q -c 10 train.svm model
run 0 predict train.svm model predictions
run 0 convert decode --names names train.csv predictions
[ "$(sed 's/.*,//' out | paste -sd ' ')" = 'predicted yes no yes' ] || fail 'predicted labels by their names'

# ---- numbers, weights, groups

printf '3\t1\t7\t0.5\n4\t1\t\t2\n5\t2\tx\t1\n' >rows.tsv
run 0 convert encode --names other --label 1 --group 2 --weight 4 --missing flag rows.tsv
prints '3 cost:0.5 qid:1 1:1\n4 cost:2 qid:1 2:1\n5 cost:1 qid:2 3:1\n'
has 'no header' err
printf ',a,b\n0,5,2\n1,6,3\n' >pandas.csv
run 0 convert encode --names other --ignore 1 pandas.csv
prints '2 1:5\n3 1:6\n'
printf 'a,b\n1,2\nNA,3\n?,4\n5,6\n' >holes.csv
run 0 convert encode --names other --missing skip holes.csv
prints '2 1:1\n6 1:5\n'
has '^rows with missing values, left out: 2$' err
run 0 convert encode --names other --missing flag holes.csv
prints '2 1:1\n3 2:1\n4 2:1\n6 1:5\n'
cp out holes.svm
run 0 convert table --names other holes.svm
prints 'label,a\n2,1\n3,\n4,\n6,5\n'
printf 'a,b\n1,2\n2,3\nx,4\n5,6\n' >mixed.csv
run 0 convert encode --names other mixed.csv
has "^column a has 3 numbers and 1 other texts, such as 'x': each text is a feature of its own$" err
run 0 convert encode --names other --label a mixed.csv
prints '1 1:2\n2 1:3\n3 1:4\n4 1:6\n'
has "^column a has 3 numbers and 1 other texts, such as 'x': each number or text is a class of its own$" err
run 0 convert encode -q --names other --header off --ignore 1 mixed.csv
has '^5$' out
printf 'a,b,y\n1,1,1\nx,Inf,2\nu,2,3\nv,1e400,4\n' >texts.csv
run 0 convert encode --names other texts.csv
has "^column a has 1 numbers and 3 other texts, such as 'x': each text is a feature of its own$" err
has "^column b has 2 numbers and 2 other texts, such as 'Inf': each text is a feature of its own$" err
run 0 convert encode --names other --categories a,b texts.csv
has_not '^column' err
{
    echo 'born on,x,y'
    for i in {0..8}; do echo "2001-0$i-01,k$((i / 2)),1"; done
} >dates.csv
run 0 convert encode --names other dates.csv
has_not '^column' err
printf '2001-01-01,k1,2\n' >>dates.csv
run 0 convert encode --names other dates.csv
has "^column born%20on has 9 different texts in 10 fields, each a feature of its own; --ignore 'born on' leaves it out$" err
has_not '^column x' err
run 0 convert encode --names other --ignore 'born on' dates.csv
has_not '^column' err
printf 'a,b\n1,2\n3,\n5,1\n' >unlabeled.csv
run 0 convert encode --names other --missing skip unlabeled.csv
prints '2 1:1\n1 1:5\n'
has '^rows with missing values, left out: 1$' err
run 0 convert encode --names other --missing skip --freeze unlabeled.csv
prints '2 1:1\n? 1:3\n1 1:5\n'
printf 'a,"City, Region","x ""y""",c,y\n1,Rome,2,3,4\n' >quoted.csv
for list in 'City, Region' '"City, Region"' '2'; do
    run 0 convert encode --names other --ignore "$list" quoted.csv
    prints '4 1:1 2:2 3:3\n'
done
for list in '"City, Region",c' 'c,"City, Region"' '"c","City, Region"' 'c,City, Region'; do
    run 0 convert encode --names other --ignore "$list" quoted.csv
    prints '4 1:1 2:2\n'
done
run 0 convert encode --names other --ignore 'x "y",c' --categories 'City, Region' quoted.csv
prints '4 1:1 2:1\n'
printf 'a|b\n1|2\n3|4\n' >bars.csv
run 0 convert encode --names other bars.csv
has '^no column is a feature; --separator says what stands between columns$' err
gzip -c mixed.csv >mixed.csv.gz
run 0 convert encode -q --names other mixed.csv.gz
[ "$(wc -l <out)" -eq 4 ] || fail 'a table in gzip'

# Decimal commas, in a table with semicolons; a tab by its escape; features with the names of label, weight and group.
printf 'size;price;kind\n1,5;-2,25;a\n3;0,1;b\n' >comma.csv
run 0 convert encode --names other --decimal comma --label price comma.csv
prints '-2.25 1:1.5 2:1\n0.10000000000000001 1:3 3:1\n'
printf '1,5;2,5;3,5\n0,5;1.5;1\n' >bare-comma.csv
run 0 convert encode --names other --decimal comma bare-comma.csv
prints '3.5 1:1.5 2:1\n1 1:0.5 3:1\n' # 1.5 is a text there
run 0 convert encode --names other --label kind comma.csv
has "^column size has the text '1,5'; --decimal comma reads it as the number 1.5$" err
has "^column price has the text '-2,25'; --decimal comma reads it as the number -2.25$" err
run 0 convert encode --names other comma.csv --label price
has "^column price has the text" err
run 0 convert encode --names other --label 1 --separator '\t' rows.tsv
prints '3 1:1 2:0.5 3:1\n4 1:1 2:2\n5 1:2 2:1 4:1\n' # a missing value between others
printf 'label,weight,group,y\n1,2,3,4\n' >own.csv
run 0 convert encode -q --names other --label y own.csv
sed 's/^4 /4 cost:2 qid:1 /' out >own.svm
run 0 convert table --names other own.svm
prints 'label_,weight_,group_,label,weight,group\n4,2,1,1,2,3\n'

# A table of data, read again.
run 0 convert table "$data/blobs.train"
cp out blobs.csv
for label in --quiet '--label label'; do
    # shellcheck disable=SC2086
    run 0 convert encode --names blobs $label blobs.csv
    cmp out "$data/blobs.train" || fail "blobs.train is another one after table and encode $label"
done
has '^the label is column 1, label$' err
run 0 convert encode --names other --label 1 blobs.csv
has '^the label is column 2, 1 (this is its name)$' err
run 0 convert encode --names blobs --freeze blobs.csv
cmp out "$data/blobs.train" || fail 'blobs.train is another one after table and encode --freeze'
yes 1 | head -n "$(wc -l <"$data/blobs.train")" >predictions
run 0 convert decode --names blobs blobs.csv predictions
has '^label,.*,predicted$' out
# Headers with numbers, and data with texts.
printf 'y,1,2\n1,0.5,3\n2,7,4\n' >numbered.csv
run 0 convert encode --names other --label y numbered.csv
prints '1 1:0.5 2:3\n2 1:7 2:4\n'
has '^the first line has numbers, too; --header off, if it is no header$' err
for first in 'y,1,1' '1;5,1,2' '-inf,1,2' '1st,1,2' '?,1,2'; do
    printf '%s\n1,0.5,3\n' "$first" >numbered.csv
    run 0 convert encode --names other --missing flag numbered.csv
    has 'no header' err
done
printf 'a,label,c\n1,2,3\n' >middle.csv
run 0 convert encode --names other middle.csv
prints '2 1:1 2:3\n'

# Commas between thousands are no decimal commas.
printf 'a,inc,y\n1,900,1\n2,"1,500",2\n3,"12,750",3\n4,800,3\n' >thousands.csv
run 0 convert encode --names other thousands.csv
has "^column inc has the text '1,500': its commas look like thousands separators; write the numbers without commas$" err
has_not '--decimal comma' err
run 0 convert encode --names other --decimal comma thousands.csv
has "^column inc: behind every comma there are three digits; '1,500' is read as 1.5; if these are thousands separators, write" err
run 0 convert encode -q --names other --decimal comma thousands.csv
quiet thousands
run 0 convert encode --names other --ignore inc thousands.csv
has_not comma err
printf 'a;y\n1,500;1\n2,250;2\n' >either.csv
run 0 convert encode --names other either.csv
has "^column a has the text '1,500'; --decimal comma reads it as the number 1.5; if the comma is a thousands separator, write" err
printf 'a;y\n1,500;1\n0,250;2\n3;2\n' >fractions.csv
run 0 convert encode --names other fractions.csv
has "^column a has the text '0,250'; --decimal comma reads it as the number 0.25$" err
run 0 convert encode --names other --decimal comma fractions.csv
has_not comma err
printf 'a;y\n1,234,567.5;1\n12,250;2\n' >millions.csv
run 0 convert encode --names other millions.csv
has "^column a has the text '1,234,567.5': its commas look like thousands separators" err
run 0 convert encode --names other --decimal comma millions.csv
has "^column a has the text '1,234,567.5': its commas look like thousands separators" err

# Predictions by the names of the labels.
cp names kept
sorry 2 'names would be read and overwritten' predict --names names train.svm model names
sorry 2 'names would be read and overwritten' predict --names names --report names train.svm model predictions
cmp -s names kept || fail 'predict overwrote the names'
run 0 predict --names names --measures accuracy,confusion train.svm model predictions
[ "$(paste -sd ' ' predictions)" = 'yes no yes' ] || fail "predicted names: $(cat predictions)"
prints 'Accuracy = 100%% (3/3)\nconfusion: a row for each true label, a column for each predicted one\n    yes no\nyes   2  0\n no   0  1\n'
run 0 predict --names names -d train.svm model predictions
has '^labels no yes$\|^labels yes no$' predictions
run 0 convert decode --names names train.csv predictions
[ "$(sed 's/.*,//' out | paste -sd ' ')" = 'predicted yes no yes' ] || fail 'predictions with names, decoded'
printf 'labels New%%20York,%%20NY no\nno 1\nNew%%20York,%%20NY 2\nno 1\n' >predictions
run 0 convert decode --names names train.csv predictions
has '^2.5,blue,Paris,02139,no,"New York, NY"$' out
printf 'kind,home town\nred apple,New York\n"50%% = a",Bonn\nred apple,New York\n"two\nlines",Rome\n' >blanks.csv
run 0 convert encode --names blanks --label kind blanks.csv
mv out blanks.svm
status 0 -q -L softmax -r l2 -c 100 blanks.svm blanks.model
run 0 predict --names blanks --measures confusion blanks.svm blanks.model predictions
printf '%s\n' 'red apple' '50% = a' 'red apple' two%0Alines | cmp -s - predictions ||
    fail "names with blanks: $(cat predictions)"
has '^  red apple  *2  *0' out
run 0 convert decode --names blanks blanks.csv predictions
printf '%s\n' kind,home\ town,predicted red\ apple,New\ York,red\ apple '"50% = a",Bonn,50% = a' \
    red\ apple,New\ York,red\ apple '"two' 'lines",Rome,"two' 'lines"' >expected
cmp -s out expected || fail "labels with blanks: $(cat out)"
run 0 predict --names blanks -d blanks.svm blanks.model predictions
has '^labels red%20apple 50%25%20%3D%20a two%0Alines$' predictions
run 0 convert decode --names blanks blanks.csv predictions
cmp -s out expected || fail "labels with blanks beside values: $(cat out)"
run 0 weights --names blanks blanks.model
has '^red apple	home town=New York	' out
status 0 -q -L squared train.svm numbers
sorry 2 'which a model of squared has not' predict --names names train.svm numbers predictions
sorry 1 'is a text; convert gives numbers to texts' train <(printf 'spam 1:1\n') model
printf 'spam 1:1 3:2\nham 2:1\n' >texts.svm
sorry 1 'texts.svm:1: this is svmlight data, no table' convert encode --names texts texts.svm

# ---- what cannot be written: more than a buffer holds, so that it shows before the end

full() {
    "$bin/convert" "$@" >/dev/full 2>err && fail "to a full device: $*"
    has '^standard output: No space left on device$' err
}
seq 20000 | sed 's/.*/&,&,&/' >long.csv
run 0 convert encode -q --names long long.csv
mv out long.svm
yes 1 | head -n 20000 >predictions
full encode -q --names long long.csv
full table long.svm
full decode --names long long.csv predictions

# ---- what is refused

sorry 2 'encode, decode or table expected, not frobnicate' convert frobnicate
sorry 2 'encode takes TABLE, but there are 0 operands' convert encode
sorry 2 '--names is missing' convert encode mixed.csv
sorry 2 'standard input cannot be read twice' convert encode --names n -
sorry 2 'is a pipe and cannot be read twice: give a file, or --freeze' convert encode --names n <(cat mixed.csv)
sorry 2 '--names -: standard output has the data' convert encode --names - mixed.csv
sorry 2 'would be read and overwritten' convert encode --names mixed.csv mixed.csv
sorry 2 '--unlabeled needs --freeze' convert encode --names n --unlabeled mixed.csv
sorry 2 '--label z: the table mixed.csv has no such column; it has 2' convert encode --names n --label z mixed.csv
sorry 2 '--ignore 3: the table' convert encode --names n --ignore a,3 mixed.csv
sorry 2 'the column of the label has another use' convert encode --names n --ignore b mixed.csv
sorry 2 '--separator takes one byte' convert encode --names n --separator ab mixed.csv
sorry 2 'is an option of encode' convert decode --names names --label 1 test.csv predictions
sorry 1 'holes.csv:3: a missing value; see --missing' convert encode --names n --missing refuse holes.csv
printf 'a,a\n1,2\n' >twice.csv
sorry 1 "twice.csv:1: two columns with the name 'a'" convert encode --names n twice.csv
printf 'a,b\n1,\n' >empty-label.csv
sorry 1 'empty-label.csv:2: no label in column b; --missing skip leaves such rows out' convert encode --names n empty-label.csv
for form in UTF-16 UTF-16LE UTF-16BE; do
    printf 'a,b\r\n1,2\r\n' | iconv -f UTF-8 -t $form >wide.csv
    sorry 1 "wide.csv:1: a NUL byte: the file looks like UTF-16, which iconv -f $form -t UTF-8 FILE > NEW makes a text" convert encode --names n wide.csv
done
printf 'a,b\n1,\0\n' >nul.csv
sorry 1 'nul.csv:2: a NUL byte$' convert encode --names n nul.csv
sorry 2 '--ignore City: the table' convert encode --names n --ignore 'City, Region,b' mixed.csv
sorry 1 'the table is empty' convert encode --names n /dev/null
printf 'a,b\n' >header.csv
sorry 1 'header.csv: the table has a header and no rows' convert encode --names n header.csv
printf 'age,label\nold,yes\n' >word.csv
sorry 1 "word.csv:2: column age: 'old' is no number, but it is one in names" convert encode --names names --freeze word.csv
printf 'a,w,b\n1,-1,2\n' >weight.csv
sorry 1 "weight '-1' is no number of 0 or more" convert encode --names n --weight w weight.csv
printf 'a,q,b\n1,x,2\n1,y,2\n1,y,2\n2,x,3\n' >apart.csv
sorry 1 "apart.csv:5: group 'x' comes back after another one" convert encode --names n --group q apart.csv
printf '1\n' >few
sorry 1 'test.csv:3: no prediction for this row' convert decode --names names test.csv few
printf '1\n1\n1\n' >many
sorry 1 'many:3: more predictions than rows' convert decode --names names test.csv many
sorry 1 "mixed.csv:1: 'label NUMBER NAME'" convert decode --names mixed.csv test.csv few
[ ! -e n ] || fail 'names of a run that failed'

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
