#include <libdwarf/libdwarf.h>
#include <libdwarf/dwarf.h>
