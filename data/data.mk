# The samples that ship: `make samples` writes them anew, `make check-samples` compares.

SAMPLES := $(foreach name,blobs line three,data/$(name).train data/$(name).test)

$(BUILD)/data/make_samples: $(BUILD)/data/make_samples.o $(BUILD)/librrm.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

.PHONY: samples check-samples
samples: $(BUILD)/data/make_samples
	$< data

check-samples: $(BUILD)/data/make_samples
	@mkdir -p $(BUILD)/samples
	$< $(BUILD)/samples
	@for file in $(SAMPLES); do cmp $$file $(BUILD)/samples/$${file#data/} || exit 1; done

-include $(BUILD)/data/make_samples.d
