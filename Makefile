# dpcc: `make` builds build/dpcc, `make check` tests it, `make demo` shows it. docs/internals.md says what is where.

VERSION := 0.2.0
BUILD ?= build
PREFIX ?= /usr/local
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Werror
CFLAGS ?= -O2 -g
override CFLAGS += -std=gnu11

# ---- What it is made of: every C file of a folder; which folder uses which, testsuite/layers says.
c_files = $(basename $(sort $(wildcard $(1)/*.c)))
COMPILER := $(filter-out driver/main,$(foreach folder,ir lexer parser $(patsubst %/,%,$(wildcard analysis/*/)) analysis codegen explain standalone report lsp driver,$(call c_files,$(folder))))
SETS := closed enumerate generator lattice pattern rowwise sets
# The library's pure parts that the compiler computes with.
SHARED := $(patsubst %,runtime/base/%,caches comb_sets combs cost distribution forms halo pack placement profile $(SETS)) $(patsubst %,runtime/redistribution/%,index limits steps thakur)
# Those of redistribution.
INDEX := $(patsubst %,runtime/redistribution/%,bbc cdc colour encoding families hsu index limits pitfalls scan steps thakur walk)
# Each layer of the library uses those before it; scalapack and hdf5 are libraries of their own.
RUNTIME := $(filter-out %/scalapack %/hdf5,$(foreach layer,base redistribution program,$(call c_files,runtime/$(layer))))

# testsuite/unit: programs on the compiler's and runtime's pure parts, and programs that run on several processes.
UNIT_TESTS := test_blocksizes test_caches test_code test_combs test_cost test_distribution test_exact test_front test_index test_placement test_sets test_small_sets test_steps
MPI_TESTS := test_interior test_copier test_interop test_mappings test_methods test_misuse test_parameters test_redistribution test_runtime
# The same where ScaLAPACK is installed for that MPI.
SCALAPACK_TESTS := test_scalapack test_scalapack_misuse

OBJECTS := $(patsubst %,$(BUILD)/%.o,$(COMPILER) $(SHARED) parser/gram lexer/scan)
# dpc.h by subject.
PARTS := alignment arithmetic arrays checks elements files grids halos moves panels parameters parts prefixes reductions remapping spaces submatrices sweeps tilings transfers views
PUBLIC_HEADERS := agree combs distribution dpc element_types exact exact_product formats halo interop messages methods npy picture redistribution scalapack standard start team $(PARTS:%=dpc/%)
HEADERS := $(PUBLIC_HEADERS:%=$(BUILD)/include/dpc/%.h) $(BUILD)/include/dpc/interface.h
# Those that an earlier version left there, under names that no longer exist, would be found by programs.
STALE_HEADERS := $(filter-out $(HEADERS),$(wildcard $(BUILD)/include/dpc/*.h $(BUILD)/include/dpc/*/*.h))
$(if $(STALE_HEADERS),$(shell rm -f $(STALE_HEADERS)))
# The interface's number: another one with every change of a public header.
INTERFACE := $(shell cat $(sort $(PUBLIC_HEADERS:%=runtime/%.h)) runtime/interface.h.in | sha256sum | cut -c 1-8)

# What --standalone takes parts of.
SOURCES := $(patsubst runtime/%,%,$(filter-out runtime/calibrate.c,$(wildcard runtime/*.h runtime/*/*.[ch] runtime/*/*.def)))
STALE_SOURCES := $(filter-out $(SOURCES:%=$(BUILD)/lib/source/%),$(wildcard $(BUILD)/lib/source/*.h $(BUILD)/lib/source/*/*.*))
$(if $(STALE_SOURCES),$(shell rm -f $(STALE_SOURCES)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY: # objects of tests stay: else make ends by removing them, and says so after the tests' last line
.PHONY: all fuzz help demo docs check check-exhaustive dist golden deps install installable uninstall clean format formatted bench bench-checks bench-chung bench-hsu bench-lee-chen bench-lee-chen-simulated bench-patterns bench-programs bench-strided bench-translation libdpc reference tests

# ---- First what is missing is installed; then tools.mk tells which kinds of MPI there are, and make starts again with it.
GOALS := $(or $(MAKECMDGOALS),all)
ifeq ($(filter -j%,$(MAKEFLAGS)),) # every processor, if nobody says how many
MAKEFLAGS += -j$(shell nproc)
endif
ifneq ($(filter-out clean dist format help reference uninstall,$(GOALS)),)
include $(BUILD)/tools.mk
# Of an HDF5 that is no longer installed.
STALE_HDF5 := $(foreach mpi,serial $(MPIS),$(if $(HDF5_$(mpi)),,$(wildcard $(BUILD)/lib/$(mpi)/hdf5.options $(BUILD)/lib/$(mpi)/libdpc_hdf5.a)))
$(if $(STALE_HDF5),$(shell rm -f $(STALE_HDF5)))
endif

# A goal's line says after ## what it does.
help: ## this list
	@echo "make GOAL, for one of:"
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 20
	@echo "Variables: BUILD=$(BUILD), PREFIX=$(PREFIX), CC, CFLAGS"

deps: ## install what is missing (Debian packages); without root: print the command
	@.ci/deps $(if $(filter check% tests,$(GOALS)),--tests)

$(BUILD)/tools.mk: deps
	@mkdir -p $(@D)
	@.ci/deps --mpis >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

all: $(BUILD)/dpcc libdpc ## build/dpcc and libdpc for each installed MPI: the default
LIBRARIES = $(MPIS:%=$(BUILD)/lib/%/libdpc.a) $(foreach mpi,$(filter $(SCALAPACK),$(MPIS)),$(BUILD)/lib/$(mpi)/libdpc_scalapack.a) $(foreach mpi,$(MPIS),$(if $(HDF5_$(mpi)),$(BUILD)/lib/$(mpi)/libdpc_hdf5.a))
# How programs with files of HDF5 are compiled and linked.
HDF5_OPTIONS = $(foreach mpi,serial $(MPIS),$(if $(HDF5_$(mpi)),$(BUILD)/lib/$(mpi)/hdf5.options))
# Simulated processes are threads of one: a library that they share would have its variables once for all of them.
SHARED_KINDS = $(filter-out smpi,$(MPIS))
SONAME := libdpc.so.$(basename $(VERSION))
SHARED_LIBRARIES = $(SHARED_KINDS:%=$(BUILD)/lib/%/libdpc.so)
libdpc: $(LIBRARIES) $(HDF5_OPTIONS) $(SHARED_LIBRARIES) $(HEADERS) $(BUILD)/lib/calibrate.c $(BUILD)/lib/gdb.py $(SOURCES:%=$(BUILD)/lib/source/%) ## the library alone

# The library's sources, for --standalone.
$(BUILD)/lib/source/%: runtime/%
	@mkdir -p $(@D)
	@cp $< $@

# ---- The compiler
INCLUDES := -I$(BUILD)/parser -I$(BUILD)/lexer -Iparser -Ilexer

$(BUILD)/dpcc: $(BUILD)/driver/main.o $(BUILD)/compiler.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs libcjson isl) -lm

$(BUILD)/compiler.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/driver/option_help.o: override CFLAGS += -DDPCC_VERSION='"$(VERSION)"' -DDPCC_INTERFACE='"$(INTERFACE)"'
$(BUILD)/driver/option_help.o: $(BUILD)/include/dpc/interface.h
$(BUILD)/driver/option_help.o: Makefile

$(BUILD)/%.o: %.c | $(BUILD)/parser/gram.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(POSITION_INDEPENDENT) $(WARNINGS) $(INCLUDES) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(BUILD)/%.c | $(BUILD)/parser/gram.h
	$(CC) $(CFLAGS) -Wall -Wextra -Werror $(INCLUDES) -MMD -MP -c -o $@ $<

$(BUILD)/parser/gram.c $(BUILD)/parser/gram.h &: parser/gram.y
	@mkdir -p $(@D)
	bison -Wall -Werror -o $(BUILD)/parser/gram.c --header=$(BUILD)/parser/gram.h $<

$(BUILD)/lexer/scan.c: lexer/scan.l
	@mkdir -p $(@D)
	flex -o $@ $<

# The words of what codegen writes and of the macros of the library's header, whatever stands behind them: no macro of the
# user's that stays in the output is one of them. Letters alone stand in messages and are parameters, but for I.
WORD_SOURCES := $(wildcard runtime/*.h runtime/dpc/*.h)
WRITERS := $(wildcard codegen/*.c analysis/lower/*.c analysis/model/*.c analysis/model/*.def)
$(BUILD)/lexer/words.def: $(WORD_SOURCES) $(WRITERS) Makefile
	@mkdir -p $(@D)
	@{ cat $(WORD_SOURCES) | $(CC) -fpreprocessed -dD -E -P - 2>/dev/null | sed -e ':a' -e '/\\$$/{N;s/\\\n//;ba}' | grep '^#define'; \
	   cat $(WRITERS) | grep -o '"[^"]*"' | sed 's/\\[a-z0-9]/ /g; s/%[-0-9.*lz]*[a-z]/ /g'; } | \
	   grep -oE '[A-Za-z_][A-Za-z_0-9]*' | LC_ALL=C sort -u | grep -vE '^([A-HJ-Za-z]|__.*)$$' | sed 's/.*/WORD(&)/' >$@
$(BUILD)/lexer/constants.o: $(BUILD)/lexer/words.def

# What serial programs get of the library, as strings: the arithmetic of --reproducible, files of arrays.
$(BUILD)/codegen/%_text.h: runtime/%.h
	@mkdir -p $(@D)
	@sed '/^#include "/d; s/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@
$(BUILD)/codegen/exact.o: $(BUILD)/codegen/exact_text.h $(BUILD)/codegen/exact_product_text.h
$(BUILD)/codegen/files.o: $(patsubst %,$(BUILD)/codegen/%_text.h,replaced npy picture serial_files hdf5_files serial_hdf5)
$(BUILD)/codegen/exact.o $(BUILD)/codegen/files.o: INCLUDES += -I$(BUILD)/codegen

# The page of --report as strings.
PAGE := page_html:page.html page_css:page.css pictures_js:pictures.js page_js:page.js
$(BUILD)/report/page_text.h: $(wildcard report/page.* report/pictures.js) Makefile
	@mkdir -p $(@D)
	@for part in $(PAGE); do \
	   echo "static const char $${part%%:*}[] ="; sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' report/$${part#*:}; echo "    ;"; \
	 done >$@
$(BUILD)/report/report.o: $(BUILD)/report/page_text.h
$(BUILD)/report/report.o: INCLUDES += -I$(BUILD)/report

# ---- libdpc, once for each kind of MPI that tools.mk found
MPICC_openmpi ?= mpicc.openmpi
MPICC_mpich ?= mpicc.mpich
MPICC_smpi ?= smpicc
MPICC_other ?= mpicc
# Simulated programs are shared objects.
MPIFLAGS_smpi := -DDPC_SMPI -fPIC

# The library's objects serve libdpc.a and libdpc.so.  Calls between its files do not go through tables of addresses, and
# nobody takes the place of a function in the file that defines it, so that functions are inlined as in any program.
LIBRARY_FLAGS := -fPIC -fvisibility=hidden -fno-semantic-interposition
$(BUILD)/runtime/%.o: POSITION_INDEPENDENT := $(LIBRARY_FLAGS)
$(foreach mpi,$(MPIS),$(eval $(BUILD)/$(mpi)/runtime/%.o: MPIFLAGS_$(mpi) += $(LIBRARY_FLAGS)))

# Files without MPI are those of the compiler and the tests, too; SMPI's differ in which functions are visible.
PURE := $(sort $(SHARED) $(INDEX))
libdpc_objects = $(if $(filter smpi,$(1)),$(RUNTIME:%=$(BUILD)/smpi/%.o),\
                   $(PURE:%=$(BUILD)/%.o) $(patsubst %,$(BUILD)/$(1)/%.o,$(filter-out $(PURE),$(RUNTIME))))

define libdpc_rules
$(BUILD)/$(1)/%.o: %.c | $(BUILD)/include/dpc/interface.h
	@mkdir -p $$(@D)
	$$(MPICC_$(1)) $$(CFLAGS) $$(WARNINGS) $$(MPIFLAGS_$(1)) -I$(BUILD)/include/dpc -MMD -MP -c -o $$@ $$<

$(BUILD)/lib/$(1)/libdpc.a: $(call libdpc_objects,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcs $$@ $$^

$(BUILD)/lib/$(1)/$(SONAME): $(call libdpc_objects,$(1))
	@mkdir -p $$(@D)
	$$(MPICC_$(1)) $$(CFLAGS) $$(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-Bsymbolic-functions -o $$@ $$^ -lm

$(BUILD)/lib/$(1)/libdpc.so: $(BUILD)/lib/$(1)/$(SONAME)
	ln -sf $(SONAME) $$@

$(BUILD)/lib/$(1)/libdpc_scalapack.a: $(BUILD)/$(1)/runtime/redistribution/scalapack.o
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcs $$@ $$^

$(BUILD)/$(1)/runtime/program/hdf5.o: MPIFLAGS_$(1) += $(filter -I%,$(HDF5_$(1)))

$(BUILD)/lib/$(1)/libdpc_hdf5.a: $(BUILD)/$(1)/runtime/program/hdf5.o
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(AR) rcs $$@ $$^

$(SCALAPACK_TESTS:%=$(BUILD)/$(1)/%): $(BUILD)/$(1)/%: $(BUILD)/$(1)/testsuite/unit/%.o $(BUILD)/lib/$(1)/libdpc_scalapack.a \
                                      $(BUILD)/lib/$(1)/libdpc.a
	$$(MPICC_$(1)) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ -lscalapack-$(1) -lm

$(BUILD)/$(1)/test_%: $(BUILD)/$(1)/testsuite/unit/test_%.o $(BUILD)/lib/$(1)/libdpc.a
	$$(MPICC_$(1)) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ -lm
endef
$(foreach mpi,$(MPIS),$(eval $(call libdpc_rules,$(mpi))))

$(BUILD)/lib/%/hdf5.options: $(BUILD)/tools.mk
	@mkdir -p $(@D)
	@echo '$(HDF5_$*)' >$@

$(BUILD)/include/dpc/interface.h: runtime/interface.h.in $(PUBLIC_HEADERS:%=runtime/%.h)
	@mkdir -p $(@D)
	sed 's/_NUMBER_/_$(INTERFACE)_/' $< >$@

$(BUILD)/include/dpc/%.h: runtime/%.h
	@mkdir -p $(@D)
	cp $< $@

# For gdb: elements by the names of the .dpc program.
$(BUILD)/lib/gdb.py: runtime/gdb.py
	@mkdir -p $(@D)
	cp $< $@

# What dpcc --calibrate compiles and runs.
$(BUILD)/lib/calibrate.c: runtime/calibrate.c
	@mkdir -p $(@D)
	cp $< $@

# ---- Tests
tests: ## what the tests need
tests: all $(BUILD)/testsuite/random/generate $(BUILD)/testsuite/explain/compare $(UNIT_TESTS:%=$(BUILD)/testsuite/unit/%) $(foreach mpi,$(MPIS),$(MPI_TESTS:%=$(BUILD)/$(mpi)/%)) \
       $(foreach mpi,$(filter $(SCALAPACK),$(MPIS)),$(SCALAPACK_TESTS:%=$(BUILD)/$(mpi)/%))

$(UNIT_TESTS:%=$(BUILD)/testsuite/unit/%): $(BUILD)/testsuite/unit/%: $(BUILD)/testsuite/unit/%.o \
                                           $(INDEX:%=$(BUILD)/%.o) \
                                           $(BUILD)/compiler.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs check libcjson isl) -lm

GENERATOR := alignments arrays blocks carried clamped control expressions functions generate intrinsics kernels moves nests runs flat statements submatrices text
$(BUILD)/testsuite/random/generate: $(GENERATOR:%=$(BUILD)/testsuite/random/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/testsuite/explain/compare: $(BUILD)/testsuite/explain/compare.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs libcjson isl) -lm

check: tests ## all tests, about 10 minutes on 2 cores; testsuite/run KIND NAME runs some
	@testsuite/run --build $(BUILD)

check-exhaustive: tests ## everything, without limits of time
	@testsuite/run --build $(BUILD) --exhaustive

# The compiler once more with AFL++'s instrumentation, below BUILD/fuzz, without -Werror, as that is another C compiler.
FUZZ_FLAGS := CC=afl-clang-fast WARNINGS= CFLAGS='-O2 -g -std=gnu11'
fuzz: all ## AFL++ on the front end for FUZZ_SECONDS (default 600); says how many executions; needs Debian's afl++
	@command -v afl-fuzz afl-clang-fast >/dev/null || { echo 'make fuzz needs afl-fuzz and afl-clang-fast: apt-get install afl++' >&2; exit 1; }
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz $(FUZZ_FLAGS) $(BUILD)/fuzz/front >$(BUILD)/fuzz.log 2>&1 || { tail -20 $(BUILD)/fuzz.log >&2; exit 1; }
	@BUILD=$(BUILD) testsuite/fuzz/run

$(BUILD)/front: $(BUILD)/testsuite/fuzz/front.o $(BUILD)/compiler.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -Wl,--wrap=assembly_of,--wrap=exit $(shell pkg-config --libs libcjson isl) -lm

golden: all ## accept what dpcc writes today as the golden texts of examples/
	@testsuite/run --build $(BUILD) --refresh-golden

docs: $(BUILD)/dpcc ## docs/errors.md, from the messages and the tests that yield them
	@docs/errors.sh $(BUILD)/dpcc >$(BUILD)/errors.md && mv $(BUILD)/errors.md docs/errors.md

reference: ## the API of dpc.h, redistribution.h and interop.h as HTML, by Doxygen: build/reference/html/index.html
	@command -v doxygen >/dev/null || { echo 'make reference needs doxygen: apt-get install doxygen' >&2; exit 1; }
	@mkdir -p $(BUILD)/reference && { cat docs/Doxyfile; echo 'OUTPUT_DIRECTORY = $(BUILD)/reference'; } | doxygen - && echo $(BUILD)/reference/html/index.html

demo: all ## translate a program, show the exchange, run it on 4 processes
	@testsuite/demo $(BUILD)/dpcc examples/saxpy.dpc

# One after another, whatever -j says.
bench: bench-programs ## every table below, one after the other
	@$(MAKE) --no-print-directory bench-patterns
	@$(MAKE) --no-print-directory bench-strided
	@$(MAKE) --no-print-directory bench-lee-chen

bench-strided: all ## a strided assignment, beside MPI written by hand
	@bench/strided/run $(BUILD)/dpcc

bench-checks: all ## what --check=all costs, of every program of bench/programs and every example
	@bench/checks/run $(BUILD)/dpcc

bench-patterns: all ## everyday patterns, beside plain C in the same run
	@bench/patterns/run $(BUILD)/dpcc

bench-lee-chen: all ## the tables of Lee and Chen's paper
	@bench/lee-chen/run $(BUILD)/dpcc

bench-lee-chen-simulated: all ## Tables 6 to 9 of that paper on 16 simulated processes
	@bench/lee-chen/run $(BUILD)/dpcc simulated

bench-hsu: all ## Tables 1 to 5 of Hsu, Chung and Dow with simulated messages, and how often `hsu` chooses well
	@bench/redistribution/run $(BUILD) hsu

bench-chung: all ## Table 1 of Chung and Hsu on 16 simulated processes
	@bench/redistribution/run $(BUILD) chung

bench-translation: all ## how translation grows with programs of many kinds
	@bench/translation/growth $(BUILD)/dpcc

bench-programs: all ## twenty programs, beside C and MPI written by hand
	@bench/programs/run --dpcc=$(BUILD)/dpcc

# ---- The rest
# Lines for packaging/install: what becomes which file below PREFIX.
define INSTALLED
755 $(BUILD)/dpcc bin/dpcc
644 $(BUILD)/man/dpcc.1 share/man/man1/dpcc.1
644 $(BUILD)/man/dpc.3 share/man/man3/dpc.3
644 packaging/dpcc.bash share/bash-completion/completions/dpcc
644 packaging/_dpcc share/zsh/site-functions/_dpcc
644 packaging/DPCConfig.cmake lib/cmake/DPC/DPCConfig.cmake
644 packaging/DPCConfigVersion.cmake lib/cmake/DPC/DPCConfigVersion.cmake
644 packaging/FindDPC.cmake lib/cmake/DPC/FindDPC.cmake
644 $(BUILD)/lib/calibrate.c lib/dpc/calibrate.c
644 $(BUILD)/lib/gdb.py lib/dpc/gdb.py
$(foreach file,$(HEADERS:$(BUILD)/%=%),644 $(BUILD)/$(file) $(file)
)$(foreach file,$(SOURCES),644 $(BUILD)/lib/source/$(file) lib/dpc/source/$(file)
)$(foreach file,$(LIBRARIES:$(BUILD)/lib/%=%),644 $(BUILD)/lib/$(file) lib/dpc/$(file)
)$(foreach file,$(HDF5_OPTIONS:$(BUILD)/lib/%=%),644 $(BUILD)/lib/$(file) lib/dpc/$(file)
)$(foreach mpi,$(SHARED_KINDS),644 $(BUILD)/lib/$(mpi)/$(SONAME) lib/dpc/$(mpi)/$(SONAME)
link $(SONAME) lib/dpc/$(mpi)/libdpc.so
644 $(BUILD)/pkgconfig/dpc-$(mpi).pc lib/pkgconfig/dpc-$(mpi).pc
)$(if $(SHARED_KINDS),link dpc-$(firstword $(SHARED_KINDS)).pc lib/pkgconfig/dpc.pc)
endef
PKG_CONFIG_FILES = $(SHARED_KINDS:%=$(BUILD)/pkgconfig/dpc-%.pc)

installable: all $(BUILD)/man/dpcc.1 $(BUILD)/man/dpc.3 $(PKG_CONFIG_FILES) ## what make install installs
	@: $(file >$(BUILD)/installed.list,$(INSTALLED))

install: installable ## into PREFIX (below DESTDIR): dpcc, libraries, headers, manual pages, pkg-config, CMake, completion
	@sed '/^ *$$/d; s/^ *//' $(BUILD)/installed.list | packaging/install "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove what make install has put into PREFIX
	@packaging/install --remove "$(DESTDIR)" "$(PREFIX)"

$(BUILD)/man/dpcc.1: packaging/dpcc.1.in packaging/options.awk $(BUILD)/dpcc
	@mkdir -p $(@D)
	@$(BUILD)/dpcc --help | awk -f packaging/options.awk >$@.options
	@sed -e 's,@VERSION@,$(VERSION),; s,@PREFIX@,$(PREFIX),' -e '/^@OPTIONS@/{r $@.options' -e 'd}' $< >$@
	@rm $@.options

$(BUILD)/man/dpc.3: packaging/dpc.3.in Makefile
	@mkdir -p $(@D)
	@sed 's,@VERSION@,$(VERSION),' $< >$@

$(BUILD)/pkgconfig/dpc-%.pc: packaging/dpc.pc.in Makefile
	@mkdir -p $(@D)
	@sed 's,@VERSION@,$(VERSION),; s,@MPI@,$*,; s,@MPICC@,$(MPICC_$*),' $< >$@

dist: ## the source as build/dpcc-VERSION.tar.gz
	@mkdir -p $(BUILD)
	@if [ "$$(git rev-parse --show-toplevel 2>/dev/null)" = "$$(pwd -P)" ]; then git archive --prefix=dpcc-$(VERSION)/ -o $(BUILD)/dpcc-$(VERSION).tar.gz HEAD; \
	 else tar --exclude=./build --exclude=./$(BUILD) --exclude=./debian/dpcc --exclude='dpcc-*.tar.gz' -czf $(BUILD)/dpcc-$(VERSION).tar.gz --transform 's,^\.,dpcc-$(VERSION),' . ; fi
	@echo $(BUILD)/dpcc-$(VERSION).tar.gz

FORMATTED = $(shell find ir lexer parser analysis codegen explain standalone report lsp driver runtime testsuite bench examples -name '*.[ch]' -not -path '*/golden/*')

format: ## clang-format over the source
	@clang-format -i $(FORMATTED)

formatted: ## print the files that format lays out
	@echo $(FORMATTED)

clean: ## remove BUILD
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
