internal import Arguments
internal import Bytes
internal import CommandSupport
internal import CrashModel
internal import Glibc
internal import Pipeline
internal import Rendering
internal import Terminal
internal import TriageModel

/// Options with which a triage tells a CI service what it found.
struct TriageCIOptions {
  @Option(
    "-f", "--format", isShared: false,
    help: """
      How to print: text, json, github (annotations of GitHub Actions, and a summary in the file \
      $GITHUB_STEP_SUMMARY), gitlab (Code Quality), junit or sarif (2.1.0).
      """)
  var form = TriageForm.text
  @Option(
    "--baseline",
    help: """
      Mark groups that this output of triage --json or groups --json lacks as new, and exit with 7 \
      if there is any.
      """, value: "FILE")
  var baseline: String?
  @Option(
    "--root",
    help: """
      The folder of the checkout, as the debug files name it: paths below it are printed relative \
      to it. Default: the current folder.
      """, value: "DIR")
  var root: String?

  /// The limit on a baseline in bytes.
  private static let largestBaseline = 1 << 30

  /// Marks which groups are new.
  ///
  /// - Throws: ``FileError`` and ``CommandFailure`` for a baseline that cannot be read.
  func compare(_ result: inout TriageResult) throws {
    guard let baseline else { return }
    do {
      result.compare(
        with: try TriageBaseline(ByteView(reading: baseline, limit: Self.largestBaseline)))
    } catch let error as TriageBaseline.Invalid {
      throw CommandFailure(
        "--baseline: \(baseline.printable) cannot be used: \(error.reason); "
          + "it must be the output of 'mayday triage --json' or 'mayday groups --json'")
    }
  }

  /// The triage in a form that is neither text nor JSON; `nil` for those two.
  func output(of result: TriageResult) -> [UInt8]? {
    let root = SourceRoot(self.root ?? Self.currentFolder)
    switch form {
    case .text, .json: return nil
    case .github:
      return Array(
        GitHubAnnotations(result, root: root).commands.map { $0 + "\n" }.joined().utf8)
    case .gitlab: return GitLabCodeQuality(result, root: root).bytes
    case .junit: return Array(JUnitReport(result, root: root).text.utf8)
    case .sarif: return SARIFLog(result, root: root).bytes
    }
  }

  /// Appends the summary of the job, where GitHub Actions asks for one.
  ///
  /// - Throws: ``FileError`` if it cannot be written.
  func writeSummary(of result: TriageResult) throws {
    guard form == .github, let file = getenv("GITHUB_STEP_SUMMARY").map({ String(cString: $0) }),
      !file.isEmpty
    else { return }
    let root = SourceRoot(self.root ?? Self.currentFolder)
    try OutputFile.append(Array(GitHubAnnotations(result, root: root).summary.utf8), to: file)
  }

  private static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// - Throws: ``CommandFailure`` with exit status 7 if a group is new.
  func check(_ result: TriageResult) throws {
    let new = result.newGroups.map {
      $0.summary.signature.text.printable.truncated(to: 60)
    }
    guard !new.isEmpty else { return }
    let shown = new.prefix(8).joined(separator: ", ")
    throw CommandFailure(
      "new: " + (new.count > 8 ? "\(shown) and \(new.count - 8) more" : shown), .conditionMet)
  }
}
