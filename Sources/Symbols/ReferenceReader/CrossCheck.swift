internal import Bytes
internal import DWARF
internal import DebugInfo
internal import Identifiers
public import ObjectFormats
internal import SymbolCache

/// The same file read by libelf and libdwarf, in a process of its own, and compared with what our
/// reader makes of it.
public enum CrossCheck {
  /// Compares the answers for all of the file's code.
  ///
  /// - Parameters:
  ///   - object: The file as our reader has it.
  ///   - path: Where it lies; the child gets it open.
  ///   - program: The program to start; see ``ReferenceChild``.
  /// - Throws: ``ReferenceReaderError`` when no cross-check is possible, `ParseError` when our own
  ///   reader refuses the file.
  public static func report(
    on object: ObjectFile, at path: String, program: String = "/proc/self/exe",
    limits: ReferenceLimits = ReferenceLimits()
  ) throws -> CrossCheckReport {
    guard object.container == .elf else {
      throw ReferenceReaderError.notCovered("\(object.container)")
    }
    let facts: ReferenceFacts
    do {
      var process = try ReferenceProcess(path: path, program: program, limits: limits)
      let reader = ReferenceRecordReader(object, limits: limits)
      facts = try reader.read(&process)
    }
    let code = try ObjectCode(object)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var comparison = ReferenceComparison(object, limits: limits)
    comparison.compareContainer(facts, code)
    let isReadable = object.hasDebugInfo && !isUnreadable(object, &comparison.report)
    if isReadable { try comparison.compareCode(facts, code, cache) }
    var report = comparison.report
    report.architecture = object.architecture.description
    report.units = Int(facts.unitCount)
    report.symbols = facts.symbolCount
    report.rows = facts.rows.count
    for index in 0..<facts.scopes.count {
      if facts.scopes[index].parent == ReferenceFacts.none {
        report.functions += 1
      } else {
        report.inlinedCalls += 1
      }
    }
    report.covered = ["sections", "symbols", "ids"]
    if isReadable { report.covered += ["functions", "inlined calls", "lines"] }
    if !object.hasDebugInfo { report.notCovered.append("lines: the file has no DWARF") }
    if object.elf?.alternateLink != nil {
      report.notCovered.append("names that dwz moved to another file")
    }
    if code.tables.skeletonCount > 0 {
      report.notCovered.append("what split DWARF keeps in .dwo files")
    }
    return report
  }

  /// Whether libdwarf, as Debian has it, cannot read the file's DWARF at all.
  private static func isUnreadable(_ object: ObjectFile, _ report: inout CrossCheckReport) -> Bool {
    guard object.section(named: "debug_info")?.compression == .zstd else { return false }
    report.notCovered.append("DWARF: libdwarf does not read sections compressed with zstd")
    return true
  }
}
