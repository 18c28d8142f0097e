// The C face of the till's core, which is written in C++.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Adds up `count` lines of `sku` in a basket of its own.
long tern_core_total(const char *sku, int count);

/// The price of `sku` on the printed list.
long tern_core_list_price(const char *sku);

#ifdef __cplusplus
}
#endif
