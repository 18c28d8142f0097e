import Bytes
import Glibc
import JSON
import TestSupport
import Testing

/// An operator's checks of a home, whatever it contains: tests of stored data end with them.
enum HomeCare {
  /// Expects that the doctor finds nothing wrong except a queue without a worker, that the home is backed up
  /// and restored, and that the restored home gives the same backup.
  static func expectWhole(_ home: String, _ location: SourceLocation = #_sourceLocation) {
    let folder = ScratchFolder()
    let doctor = Run(["doctor", "--json", "--home", home])
    let findings = doctor.json.array ?? []
    #expect(
      findings.contains { $0["check"]?.string == "contents" }, "\(doctor.errors)",
      sourceLocation: location)
    for finding in findings where finding["check"]?.string != "queue" {
      #expect(finding["verdict"]?.string != "failed", "\(finding)", sourceLocation: location)
    }
    let (first, second) = (folder.path("first"), folder.path("second"))
    let backup = Run(["backup", first, "--home", home])
    #expect(backup.status == 0, "\(backup.errors)", sourceLocation: location)
    let restored = Run(["restore", first, "--home", folder.path("home")])
    #expect(restored.status == 0, "\(restored.errors)", sourceLocation: location)
    let again = Run(["backup", second, "--home", folder.path("home")])
    #expect(again.status == 0, "\(again.errors)", sourceLocation: location)
    #expect(folder.content("first") == folder.content("second"), sourceLocation: location)
  }
}

extension ScratchFolder {
  /// The bytes of a file; empty if it is missing.
  func content(_ name: String) -> [UInt8] {
    (try? ByteView(reading: path(name), limit: 1 << 30).array) ?? []
  }
}
