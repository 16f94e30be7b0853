# Programs that measure; they print tables and assert nothing. RRM_DATASETS is the folder with data.

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/librrm.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

.PRECIOUS: $(BUILD)/bench/%.o
-include $(patsubst %.c,$(BUILD)/%.d,$(wildcard bench/*.c))

.PHONY: bench-load
bench-load: $(BUILD)/bench/load
	@bash bench/load.sh $(BUILD)/bench/load

.PHONY: bench-train
bench-train: $(BIN)/train $(BIN)/predict
	@bash bench/train.sh $(BIN)/train

.PHONY: bench
bench: bench-load bench-train
