# Programs that measure; they print tables and assert nothing. RRM_DATASETS is the folder with data.

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/internal.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

-include $(patsubst %.c,$(BUILD)/%.d,$(wildcard bench/*.c))

.PHONY: bench-load
bench-load: $(BUILD)/bench/load
	@sh bench/load.sh $(BUILD)/bench/load

# A pass of the online solvers, and how far from the optimum they end; cutting planes beside svmocas; dual coordinate
# descent and classes trained together beside LIBLINEAR; all solvers beside both peers; the solvers beside each other;
# smooth losses; l1 beside LIBLINEAR; prediction beside svm-predict; passes of risks beyond single examples; sequences
# and structures to a certified gap. A target alone each.
BENCHES = bench-train bench-ocas bench-dcd bench-batch bench-classes bench-default bench-smooth bench-sparse \
	bench-predict bench-structured bench-sequences bench-online
.PHONY: $(BENCHES)
$(BENCHES): bench-%: $(BIN)/train $(BIN)/predict
	@bash bench/$*.sh $(BIN)/train

bench-structured bench-sequences: converters

# The online solver beside its peers: VW, ASGD and PYTHON name them (bench/online_race.sh).
.PHONY: bench-online-race
bench-online-race: $(BIN)/train $(BIN)/predict
	@bash bench/online_race.sh $(BIN)/train

# The Python estimators beside scikit-learn's; the package librrm is installed in PYTHON (bench/python.sh).
.PHONY: bench-python
bench-python:
	@sh bench/python.sh

# train-mpi beside train (docs/scale.md).
.PHONY: bench-mpi
bench-mpi: $(BIN)/train mpi
	@bash bench/mpi.sh $(BIN)/train

.PHONY: bench-kernel-machines
bench-kernel-machines: $(BIN)/train
	@bash bench/kernel_machines.sh $(BIN)/train

.PHONY: bench-kernel
bench-kernel: $(BUILD)/bench/kernel
	@sh bench/kernel.sh $(BUILD)/bench/kernel

.PHONY: bench-projection
bench-projection: $(BUILD)/bench/projection
	@. bench/page.sh && await_idle && $(BUILD)/bench/projection

.PHONY: bench-symmetric
bench-symmetric: $(BUILD)/bench/symmetric
	@. bench/page.sh && await_idle && $(BUILD)/bench/symmetric

.PHONY: bench
bench: bench-load bench-projection bench-symmetric bench-kernel bench-kernel-machines bench-online-race $(BENCHES)

# The picture of README.md, in user CPU seconds, and those of docs/pictures.md.
.PHONY: figures pictures
figures: $(BIN)/train pictures
	@bash bench/figures.sh $(BIN)/train docs/gap.svg

pictures: $(addprefix $(BIN)/,train predict convert weights plot)
	@bash bench/pictures.sh $(BIN) docs
