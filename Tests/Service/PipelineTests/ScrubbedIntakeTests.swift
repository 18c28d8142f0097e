import Bytes
import CrashModel
import CrashStore
import Glibc
import Grouping
import Identifiers
import Pipeline
import ReportDocument
import Scrubbing
import TestSupport
import Testing

/// Stored data of reports that contain secrets. The secrets are in the input as in real reports of the
/// formats; none of them may be found in any file of the home.
@Suite struct ScrubbedIntakeTests {
  private static let received = Timestamp(seconds: 1_772_500_000)
  private static let log = """
    {"type":"managedError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","timestamp":"2026-03-02T10:12:01Z",
    "userId":"jo@example.com","exception":{"type":"E","message":"no password=hunter2 at jo@example.com",
    "frames":[{"className":"a.B","methodName":"c","lineNumber":3}]},
    "device":{"osName":"Android","appVersion":"1.2.0"}},
    {"type":"errorAttachment","id":"C3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "errorId":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","fileName":"log.txt","contentType":"text/plain",
    "data":"cGFzc3dvcmQ9aHVudGVyMgo="},
    {"type":"event","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","id":"e","name":"login",
    "timestamp":"2026-03-02T10:12:00Z","properties":{"authToken":"hunter2"}}
    """

  private func send(_ submissions: String) throws -> (CrashStore, ScratchFolder) {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try ("[scrub]\nuse = secrets\nuse = email\nsubmissions = \(submissions)\n")
      .write(toFile: home.path + "/scrub.conf")
    _ = try AppCenterIntake(
      into: store, symbolicators: SymbolicatorChoice(Samples.symbolicator),
      signers: SignerChoice(Signer(rules: .standard)),
      scrubber: Scrubber(of: SettingsFolder(of: home.path))
    ).store(
      ByteView("{\"logs\":[\(Self.log)]}".utf8), appSecret: "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10",
      installID: "0D1E2F3A-0000-4000-8000-000000000001", received: Self.received)
    return (store, home)
  }

  @Test(
    "Nothing derived from a report contains what the rules match", arguments: ["keep", "scrub"])
  func nothingIsKept(submissions: String) throws {
    let (store, home) = try send(submissions)
    defer { withExtendedLifetime(home) {} }
    let id = try #require(try store.reports.list().first?.id)
    let stored = try store.reports.get(id)
    let report = try CrashReport(document: stored.document)
    #expect(report.reason.exception?.message == "no password=[secret] at [email]")
    // If nothing of the name is left, users can no longer be distinguished.
    #expect(report.user?.hasPrefix(submissions == "keep" ? "user-" : "[email]") == true)
    #expect(report.engine?.scrubRules == (try ScrubRules(of: store.settings).version))
    #expect(try store.attachments.get("log.txt", of: id).bytes.text == "password=[secret]\n")
    #expect(stored.breadcrumbs.first?.properties == ["authToken": "[secret]"])
    let submission = try store.reports.submission(stored.submission).text
    #expect(submission.contains("hunter2") == (submissions == "keep"))
    // Reprocessed, it is the same.
    let reprocessed = try ReprocessingWorker(
      in: store, symbolicators: SymbolicatorChoice(Samples.symbolicator),
      signer: Signer(rules: .standard),
      scrubber: Scrubber(of: store.settings)
    ).reprocess(stored)
    #expect(reprocessed?.document == stored.document.array)
    // Nor in the rows.
    let database = try ByteView(reading: store.home + "/mayday.db-wal", limit: 1 << 28).text
    #expect(!database.contains("hunter2") && !database.contains("jo@example.com"))
  }
}

extension String {
  fileprivate func write(toFile path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(self, file)
    fclose(file)
  }
}
