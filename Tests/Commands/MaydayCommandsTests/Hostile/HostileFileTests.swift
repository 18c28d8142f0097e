import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Archives, links and files that try to do harm elsewhere.
@Suite("Hostile files")
struct HostileFileTests {
  private let folder = ScratchFolder()

  @Test("A zip bomb stops at the named limit; earlier members are kept")
  func bomb() throws {
    // The deflate stream of a gzip file is between a header of ten bytes and a trailer of eight:
    // checksum and size. Source: RFC 1952, section 2.3.
    let size = 64 << 20
    let script = "head -c \(size) /dev/zero | gzip -9n >'\(folder.path("zeros.gz"))'"
    #expect(Run(["-c", script], program: "/bin/sh").status == 0)
    let packed = try Samples.contents(of: folder.path("zeros.gz"))
    let checksum = packed.suffix(8).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var zip = ZipBuilder()
    zip.add("a.ips".utf8, try Samples.bytes(Samples.apple))
    zip.add(
      Array("zeros".utf8), packed: Array(packed.dropFirst(10).dropLast(8)), method: 8, size: size,
      checksum: checksum)
    let bomb = folder.write("in/bomb.zip", zip.bytes)
    #expect(zip.bytes.count < 200_000)
    let run = Run(["triage", bomb, "--json"])
    #expect(run.status == 0 && run.reportCount == 1)
    #expect(run.refusal(of: "bomb.zip") == "limit of 400 times its size reached")
    let symbols = Run(["symbols", "add", bomb, "--home", folder.path("home"), "--json"])
    #expect(symbols.status == 6)
    #expect(
      symbols.json[0]?["reason"]?.string == "limit of 400 times its size reached",
      "\(symbols.output)")
    // A member that announces more than the limit is skipped, and the next is read.
    var large = ZipBuilder()
    large.add(Array("large".utf8), packed: [0], method: 0, size: 0xfff0_0000, checksum: 0)
    folder.write("in/large.zip", large.bytes)
    let announced = Run(["triage", folder.path("in/large.zip"), "--json"])
    #expect(announced.status == 1 && announced.errors.contains("no report could be read"))
    let reason = announced.refusal(of: "large.zip!large")
    #expect(reason == "limit of 268435456 bytes of a member reached", "\(announced.output)")
  }

  @Test("A name that leads upwards or cannot be shown writes nothing and is shown escaped")
  func upwards() throws {
    let report = try Samples.bytes(Samples.apple)
    var zip = ZipBuilder()
    zip.add("../../x".utf8, report)
    zip.add("/tmp/mayday-absolute".utf8, report + [0x0a])
    zip.add("a\u{1b}[2J\nb".utf8, report + [0x0a, 0x0a])
    let archive = folder.write("deep/down/in/a.zip", zip.bytes)
    let before = try [folder.names(), folder.names("deep/down/in")]
    let home = folder.path("home")
    for words in [["triage", archive, "--json"], ["ingest", archive, "--home", home, "--json"]] {
      let run = Run(after: "cd '\(folder.path("deep/down/in"))'", words)
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.output.contains("\u{1b}") && !run.errors.contains("\u{1b}"))
    }
    let run = Run(["triage", archive, "--json"])
    let members = run.json["groups"]?[0]?["members"]?.array?.compactMap { $0["file"]?.string }
    #expect(
      members?.sorted() == [
        archive + "!../../x", archive + "!/tmp/mayday-absolute", archive + "!a\\x1b[2J\\x0ab",
      ])
    #expect(
      try [folder.names().filter { $0 != "home" }, folder.names("deep/down/in")]
        == before)
    #expect(access("/tmp/mayday-absolute", F_OK) != 0)
    var symbols = ZipBuilder()
    symbols.add("../../y".utf8, try Samples.contents(of: Samples.tern))
    let file = folder.write("deep/down/in/s.zip", symbols.bytes)
    #expect(Run(["symbols", "add", file, "--home", home]).status == 0)
    #expect(try folder.names() == ["deep", "home"])
  }

  @Test("Circular links end; each file counts once, a dangling link is reported")
  func links() throws {
    try folder.copy(Samples.apple, as: "in/a/b/one.ips")
    for (link, target) in [
      ("in/a/up", ".."), ("in/a/b/self", "."), ("in/loop1", "loop2"), ("in/loop2", "loop1"),
      ("in/nowhere.ips", "none"), ("in/again", "a/b"),
    ] { symlink(target, folder.path(link)) }
    let run = Run(["triage", folder.path("in"), "--symbols", folder.path("in"), "--json"])
    #expect(run.status == 0 && run.reportCount == 1, "\(run.errors)")
    #expect(run.refusal(of: "loop1")?.contains("Too many levels of symbolic links") == true)
    #expect(run.refusal(of: "nowhere.ips")?.contains("the symbolic link leads nowhere") == true)
    let named = Run(["triage", folder.path("in/loop1")])
    #expect(named.status == 1 && named.errors.contains("loop1: cannot open: Too many levels"))
  }

  @Test("Unreadable files are reported with their paths, and the others are read")
  func unreadable() throws {
    try folder.copy(Samples.apple, as: "in/good.ips")
    let secret = try folder.copy(Samples.sanitizer, as: "in/secret.txt")
    chmod(secret, 0)
    folder.write("in/closed/a.ips", [1])
    chmod(folder.path("in/closed"), 0)
    // Opening succeeds, reading fails.
    symlink("/proc/self/mem", folder.path("in/memory.ips"))
    chmod(folder.path, 0o755)
    defer { chmod(folder.path("in/closed"), 0o755) }
    // Root may read everything, so another user has to try, with a program that it can run.
    let program = folder.write(
      "mayday", try ByteView(reading: BuiltProgram.mayday, limit: 1 << 28).array)
    chmod(program, 0o755)
    let words = ["triage", folder.path("in"), "--json"]
    let run =
      getuid() == 0
      ? Run(
        ["--reuid=65534", "--regid=65534", "--clear-groups", program] + words,
        program: "/usr/bin/setpriv")
      : Run(words)
    #expect(run.status == 0 && run.reportCount == 1, "\(run.errors)")
    #expect(run.refusal(of: "secret.txt") == "cannot open: Permission denied")
    #expect(run.refusal(of: "in/closed") == "cannot open: Permission denied")
    #expect(run.refusal(of: "memory.ips") == "cannot read: Input/output error")
    for file in [secret, folder.path("in/closed")] {
      let named = ["triage", file]
      let alone =
        getuid() == 0
        ? Run(
          ["--reuid=65534", "--regid=65534", "--clear-groups", program] + named,
          program: "/usr/bin/setpriv")
        : Run(named)
      #expect(alone.output.contains("Permission denied") && alone.output.contains(file.suffix(9)))
    }
  }
}
