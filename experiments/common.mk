# common.mk - what the Makefiles of the experiments share: the programs, and the sets of sets.tsv in OUT.
# RRM_DATASETS names the folder with the data (data/fetch.sh fills one); sets that it does not have are
# left out.

OUT = out

$(OUT)/names: sets.tsv ../prepare.sh | programs
	@test -n "$$RRM_DATASETS" || { echo "RRM_DATASETS is not set: the folder with the data"; exit 1; }
	../prepare.sh sets.tsv $(OUT)

.PHONY: programs
programs:
	$(MAKE) -C ../.. -s

.PHONY: clean
clean:
	rm -rf $(OUT)
