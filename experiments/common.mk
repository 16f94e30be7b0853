# common.mk - what the Makefiles of the experiments share: tables/TABLE.sh by ../table.sh; for the parts that have no
# such file, the programs, and the sets of sets.tsv in OUT. RRM_DATASETS names the folder with the data (data/fetch.sh
# fills one); sets that it does not have are left out.

OUT = out
FOLDER := $(notdir $(CURDIR))
TABLES := $(basename $(notdir $(sort $(wildcard tables/*.sh))))

.PHONY: tables $(TABLES)
tables: $(TABLES)

$(TABLES):
	@$(MAKE) -s -C .. $(FOLDER)/$@

$(OUT)/names: sets.tsv ../prepare.sh | programs
	@test -n "$$RRM_DATASETS" || { echo "RRM_DATASETS is not set: the folder with the data"; exit 1; }
	../prepare.sh sets.tsv $(OUT)

.PHONY: programs
programs:
	$(MAKE) -C ../.. -s

# All but the rows that are kept.
.PHONY: clean
clean:
	find $(OUT) -mindepth 1 ! -name '*.tsv' -delete
