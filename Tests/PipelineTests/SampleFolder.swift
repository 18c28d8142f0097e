import Archives
import CrashStore
import Grouping
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication

/// The samples and debug files that lie in the repository.
enum SampleFolder {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
  static let samples = root + "/Samples"
  static let symbols = root + "/Symbols"

  /// Every debug file below `Symbols`, with one shelf for all tests: each cache is made once.
  static let index = DebugFileIndex(
    DebugFileScanner().scan([
      symbols + "/tern", symbols + "/gcc", symbols + "/desk", symbols + "/apple",
    ]).files)
  static let symbolicator = Symbolicator(sources: [index], shelf: SymbolShelf())

  static func processor(app: String? = nil) -> ReportProcessor {
    ReportProcessor(
      symbolicator: symbolicator, signer: Signer(rules: .v1), scrubber: .standard, app: app)
  }
}

extension Scrubber {
  /// By the rules of a home that says nothing.
  static var standard: Scrubber? { try? Scrubber(.standard) }
}
