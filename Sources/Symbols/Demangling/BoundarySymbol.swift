/// Symbols that are not functions: markers of linkers and compilers at the ends of headers, sections and
/// tables.
///
/// Tools that search for the nearest symbol before an address use them to name the code of stripped programs.
public enum BoundarySymbol {
  /// The functions of `.init` and `.fini` have a few instructions; code beyond this distance is not theirs.
  private static let stubBytes: UInt64 = 64

  /// Source: `ld.so`'s and GNU ld's default linker scripts, `crtstuff.c` of gcc, and `mach-o/ldsyms.h`.
  private static let names: Set<String> = [
    "_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header",
    "_mh_bundle_header", "__mh_bundle_header", "_mh_dylinker_header", "__mh_dylinker_header",
    "_mh_object_header", "_mh_preload_header", "__dso_handle", "___dso_handle", "__bss_start",
    "__bss_start__", "__bss_end__", "_bss_end__", "_edata", "_end", "__end__", "_etext", "__etext",
    "__data_start", "__executable_start", "__ehdr_start", "_GLOBAL_OFFSET_TABLE_",
    "_PROCEDURE_LINKAGE_TABLE_", "_DYNAMIC", "_IO_stdin_used", "__TMC_END__", "__gmon_start__",
    "__GNU_EH_FRAME_HDR", "__FRAME_END__", "__EH_FRAME_BEGIN__", "__init_array_start",
    "__init_array_end", "__fini_array_start", "__fini_array_end", "__preinit_array_start",
    "__preinit_array_end", "__rela_iplt_start", "__rela_iplt_end", "__rel_iplt_start",
    "__rel_iplt_end", "_ITM_registerTMCloneTable", "_ITM_deregisterTMCloneTable",
    "__frame_dummy_init_array_entry", "__do_global_dtors_aux_fini_array_entry", "__ImageBase",
    "___ImageBase", "__image_base__",
  ]
  /// Stems followed by a number, or by nothing.
  private static let stems = ["GCC_except_table", "_GCC_except_table", "ltmp"]

  /// Whether a symbol of that name marks the start of its image, from which reports count offsets.
  ///
  /// Source: `mach-o/ldsyms.h`; the default linker scripts of GNU ld.
  public static func isImageStart(_ name: String) -> Bool {
    imageStarts.contains(name)
      || name.hasSuffix("_header") && (name.hasPrefix("_mh_") || name.hasPrefix("__mh_"))
  }

  private static let imageStarts: Set<String> = [
    "__executable_start", "__ehdr_start", "__ImageBase", "___ImageBase", "__image_base__",
  ]

  /// Whether a symbol of that name does not name the function at an address.
  ///
  /// - Parameter offset: The distance of the address from the symbol, in bytes; `nil` where unknown.
  public static func isName(_ name: String, offset: UInt64?) -> Bool {
    // Names of C++ and Swift are longer, and all of these begin this way.
    let count = name.utf8.count
    guard count <= 48, let first = name.utf8.first, "_Gl.".utf8.contains(first) else {
      return false
    }
    // No program fails in these, so without a distance they are merely the nearest symbol, too.
    if name == "_init" || name == "_fini" { return offset.map { $0 > stubBytes } ?? true }
    if first == UInt8(ascii: ".") { return name.hasPrefix(".L") && !name.contains("(") }
    if names.contains(name) { return true }
    return stems.contains { stem in
      name.hasPrefix(stem)
        && name.utf8.dropFirst(stem.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
        && (stem != "ltmp" || count > 4)
    }
  }
}
