# The samples that ship: `make samples` writes them anew, `make check-samples` compares.

SAMPLES := $(foreach name,blobs line three chunks helices,data/$(name).train data/$(name).test)

$(BUILD)/data/make_samples: $(addprefix $(BUILD)/data/,make_samples.o sample_chunks.o sample_helices.o) \
		$(BUILD)/internal.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

.PHONY: samples check-samples
samples: $(BUILD)/data/make_samples
	$< data

check-samples: $(BUILD)/data/make_samples
	@mkdir -p $(BUILD)/samples
	$< $(BUILD)/samples
	@for file in $(SAMPLES); do cmp $$file $(BUILD)/samples/$${file#data/} || exit 1; done

# Converters of other formats into data for train, beside the programs: NAME.c and its parts NAME_*.c.
CONVERTERS := bpseq conll convert plot scale weights

.PHONY: converters
all: converters
converters: $(CONVERTERS:%=$(BIN)/%)

converter_objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard data/$(1).c data/$(1)_*.c))

# What reads the columns of words that conll takes, and the tables that convert takes.
COLUMN_OBJECTS = $(addprefix $(BUILD)/data/,corpus.o template.o words.o numbered_names.o)
TABLE_OBJECTS = $(addprefix $(BUILD)/data/,table.o words.o numbered_names.o)

$(BIN)/bpseq: $(call converter_objects,bpseq)
$(BIN)/convert: $(call converter_objects,convert) $(TABLE_OBJECTS)
$(BIN)/scale: $(call converter_objects,scale)
$(BIN)/plot: $(call converter_objects,plot) $(addprefix $(BUILD)/data/,json_read.o words.o numbered_names.o)
$(BIN)/weights: $(addprefix $(BUILD)/data/,weights.o words.o numbered_names.o)
$(BIN)/conll: $(call converter_objects,conll) $(COLUMN_OBJECTS)
$(CONVERTERS:%=$(BIN)/%): $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $(filter %.o,$^) $(BUILD)/internal.a $(LDFLAGS) $(LDLIBS)

-include $(wildcard $(BUILD)/data/*.d)
