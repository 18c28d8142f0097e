/// Plain C identifiers: the spellings of one function in C libraries and sanitizers.
enum LibraryName {
  static func plain(_ name: NameBytes) -> NameBytes {
    var name = name
    if name.at(0) == UInt8(ascii: "I"), name.has("IA__") { return name.from(4) }
    guard name.at(0) == UInt8(ascii: "_") else { return name }
    if name.has("__GI_") { name = name.from(5) }
    if name.has("__interceptor_") {
      name = name.from(14)
    } else if name.has("___interceptor_") {
      name = name.from(15)
    } else if name.has("__interceptor_trampoline_") {
      name = name.from(25)
    } else if isSanitizerRoutine(name) {
      name = name.from(7)
    }
    if name.has("__libc_"), allocators.contains(name.from(7)) { return name.from(7) }
    // glibc's own names for what it exports without underscores.
    if name.has("__pthread_mutex_") || name.has("__pthread_cond_") || name.has("__pthread_rwlock_")
    {
      return name.from(2)
    }
    if name.has("___pthread_mutex_") || name.has("___pthread_cond_")
      || name.has("___pthread_rwlock_")
    {
      return name.from(3)
    }
    return routine(name) ?? name
  }

  private static let allocators: Set<NameBytes> = Set(
    ["malloc", "free", "calloc", "realloc", "memalign", "valloc", "pvalloc"].map { Array($0.utf8) })

  private static func isSanitizerRoutine(_ name: NameBytes) -> Bool {
    guard name.has("__asan_") || name.has("__msan_") || name.has("__tsan_") else { return false }
    return name.has("mem", at: 7) && name.count <= 14
  }

  /// `__memcpy_avx_unaligned_erms`, `__strlen_sse2`, `__memcpy_chk`: the routine's own name, when
  /// what follows it is made of processor features.
  private static func routine(_ name: NameBytes) -> NameBytes? {
    guard name.has("__"), !name.has("___") else { return nil }
    guard
      name.at(2) == UInt8(ascii: "m") || name.at(2) == UInt8(ascii: "s")
        || name.at(2) == UInt8(ascii: "w") || name.at(2) == UInt8(ascii: "r")
    else { return nil }
    guard
      name.has("mem", at: 2) || name.has("str", at: 2) || name.has("stp", at: 2)
        || name.has("wcs", at: 2) || name.has("wmem", at: 2) || name.has("rawmem", at: 2)
    else { return nil }
    var end = 2
    while end < name.count, name[end] != UInt8(ascii: "_") { end += 1 }
    guard end < name.count else { return nil }
    for word in name[(end + 1)...].split(separator: UInt8(ascii: "_")) {
      guard features.contains(where: { word.starts(with: $0) }) else { return nil }
    }
    return Array(name[2..<end])
  }

  private static let features: [NameBytes] = [
    "sse", "ssse", "avx", "evex", "erms", "unaligned", "aligned", "back", "ia32", "i586", "i686",
    "aarch64", "generic", "simd", "neon", "sve", "mops", "falkor", "thunderx", "a64fx", "emag",
    "kunpeng",
    "cortex", "arm", "vfp", "power", "ppc", "vsx", "z196", "z13", "arch", "rep", "no", "nosimd",
    "lasx",
    "lsx", "rtm", "bsf", "pminub", "rvv", "noalignment", "oryon1", "c", "chk", "movbe", "mte", "dc",
    "vl",
    "zva64", "nozva", "xor",
  ].map { Array($0.utf8) }
}
