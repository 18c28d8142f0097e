import Archives
import Bytes
import ChildProcess
import Glibc
import TestSupport
import Testing

@Suite struct SandboxTests {
  @Test("The sandbox reports its protections")
  func status() throws {
    UnpackProgram.path = BuiltProgram.mayday
    let status = try ArchiveReader.sandbox()
    // A kernel may have either of the two; we test that they are reported.
    #expect(status.description.hasPrefix("limits"))
    var version = utsname()
    uname(&version)
    if access("/proc/self/seccomp", F_OK) == 0 || access("/proc/sys/kernel/seccomp", F_OK) == 0 {
      #expect(status.seccomp)
    }
  }

  @Test("A slow unpacker is abandoned")
  func patience() {
    var limits = ArchiveLimits()
    limits.seconds = 0
    do throws(ArchiveError) {
      try ArchiveReader(limits: limits, program: BuiltProgram.mayday)
        .forEachMember(in: ByteView(ZipBuilder().bytes), named: "a.zip") { _ in .next }
      Issue.record("no limit")
    } catch {
      #expect(error.kind == .limit("seconds", 0))
    }
  }

  @Test("Little memory costs the archive, not the reader")
  func memory() {
    var limits = ArchiveLimits()
    limits.unpackerBytes = 1 << 20
    let unpacked = Unpacked(Packing.tarXZ.pack([("a", "text")]), limits: limits)
    #expect(unpacked.names.isEmpty)
    #expect(unpacked.error != nil)
  }
}
