import Archives
import CrashStore
import Grouping
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import TestSupport

extension Samples {
  /// Every debug file of the samples, with one pool for all tests: each cache is built once.
  static let index: DebugFileIndex = {
    let folders = ["tern", "gcc", "dumps", "cores", "desk", "apple", "android"]
    let scan = DebugFileScanner().scan(folders.map(debugFile))
    return DebugFileIndex(scan.files, mappings: scan.mappings)
  }()
  /// The programs with their code, whose names `WholeProgramTests` states.
  static let programs = DebugFileIndex(DebugFileScanner().scan([debugFile("whole")]).files)
  static let symbolicator = Symbolicator(sources: [index, programs], pool: SymbolCachePool())

  /// Grouping as in a command without options, for all tests: each name is normalised once.
  static let standardProcessor = processor()

  static func processor(app: String? = nil) -> ReportProcessor {
    ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .standard), scrubber: .standard, app: app)
  }
}

extension Scrubber {
  /// By the rules of a home without any settings.
  static var standard: Scrubber? { try? Scrubber(.standard) }
}
