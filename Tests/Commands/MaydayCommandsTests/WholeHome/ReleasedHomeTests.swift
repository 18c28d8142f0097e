import CrashService
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// The first command of this version that opens a home of a released version upgrades it.
@Suite("Homes of released versions", .serialized)
struct ReleasedHomeTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  /// Where answers of a released version were wrong: the differences of those of this version, by version and
  /// command line.
  private static let corrected: [String: [String: [String]]] = [
    "0.1.0": [
      // A report named the functions and lines of all its frames in the image itself.
      "symbols missing --json": [
        "[1].reports: integer(21) is now integer(20)", "[1].groups: integer(15) is now integer(14)",
      ]
    ]
  ]

  @Test(
    "Its answers stay, its reports are known, and it can be checked, backed up and restored",
    arguments: ReleasedHome.versions)
  func upgraded(version: String) throws {
    let released = try ReleasedHome(version, to: home)
    #expect(released.answers.count > 20)
    for answer in released.answers {
      let words = answer.key.split(separator: " ").map(String.init)
      let differences = try ReleasedHome.answer(to: words, home: home)
        .differences(from: answer.value)
      let expected = Self.corrected[version]?[answer.key] ?? []
      #expect(differences == expected, "\(answer.key): \(differences.prefix(3))")
    }
    let doctor = Run(["doctor", "--json", "--home", home])
    for finding in doctor.json.array ?? [] where finding["check"]?.string != "queue" {
      #expect(finding["verdict"]?.string != "failed", "\(finding)")
    }
    let again = Run(["ingest", Samples.path("java-trace"), "--home", home])
    #expect(again.status == 0 && again.errors.contains("0 reports stored"), "\(again.errors)")
    let backup = Run(["backup", folder.path("all.tar.zst"), "--home", home])
    #expect(backup.status == 0, "\(backup.errors)")
    let restore = Run(["restore", folder.path("all.tar.zst"), "--home", folder.path("copy")])
    #expect(restore.status == 0, "\(restore.errors)")
  }

  /// Records it if `MAYDAY_RECORD_HOME` is set, as docs/develop/releasing.md describes.
  @Test("The newest release has a recorded home")
  func isRecorded() throws {
    if getenv("MAYDAY_RECORD_HOME") != nil {
      let whole = try WholeHome()
      try withExtendedLifetime(whole) {
        try ReleasedHome.record(whole.path, as: Product.version)
      }
    }
    #expect(ReleasedHome.versions.contains(Product.version))
  }
}
