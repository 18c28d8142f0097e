internal import Bytes
internal import CrashModel
internal import DWARF
internal import DebugInfo
public import ObjectFormats
internal import SymbolCache

/// The same file read by libelf and libdwarf, in a process of its own, and compared with what our
/// reader makes of it.
public enum SecondOpinion {
  /// Compares the answers for all of the file's code.
  ///
  /// - Parameters:
  ///   - object: The file as our reader has it.
  ///   - path: Where it lies; the child gets it open.
  ///   - program: What is started; see ``OpinionChild``.
  /// - Throws: ``OpinionError`` when there is no second opinion to be had, `ParseError` when our own
  ///   reader refuses the file.
  public static func report(
    on object: ObjectFile, at path: String, program: String = "/proc/self/exe",
    limits: OpinionLimits = OpinionLimits()
  ) throws -> OpinionReport {
    guard object.container == .elf else {
      throw OpinionError.notCovered("\(object.container)")
    }
    let opinion: Opinion
    do {
      var process = try OpinionProcess(path: path, program: program, limits: limits)
      let reader = OpinionReader(object, limits: limits)
      opinion = try reader.read(&process)
    }
    let code = try ObjectCode(object)
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var comparison = OpinionComparison(object, limits: limits)
    comparison.compareContainer(opinion, code)
    let isReadable = object.hasDebugInfo && !isUnreadable(object, &comparison.report)
    if isReadable { try comparison.compareCode(opinion, code, cache) }
    var report = comparison.report
    report.architecture = object.architecture.description
    report.units = Int(opinion.unitCount)
    report.symbols = opinion.symbolCount
    report.rows = opinion.rows.count
    for index in 0..<opinion.scopes.count {
      if opinion.scopes[index].parent == Opinion.none {
        report.functions += 1
      } else {
        report.inlinedCalls += 1
      }
    }
    report.covered = ["sections", "symbols", "ids"]
    if isReadable { report.covered += ["functions", "inlined calls", "lines"] }
    if !object.hasDebugInfo { report.notCovered.append("lines: the file has no DWARF") }
    if object.alternateLink != nil {
      report.notCovered.append("names that dwz moved to another file")
    }
    if code.tables.skeletonCount > 0 {
      report.notCovered.append("what split DWARF keeps in .dwo files")
    }
    return report
  }

  /// Whether libdwarf, as Debian has it, cannot read the file's DWARF at all.
  private static func isUnreadable(_ object: ObjectFile, _ report: inout OpinionReport) -> Bool {
    guard object.section(named: "debug_info")?.compression == .zstd else { return false }
    report.notCovered.append("DWARF: libdwarf does not read sections compressed with zstd")
    return true
  }
}
