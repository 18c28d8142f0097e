import Bytes
import CrashModel
import SymbolSources
import Symbolication
import TestSupport
import Testing

/// Frames that name a function and an offset, in the files of `Symbols/recipes/kernel.sh`. The expected
/// values are those of binutils' `addr2line` for the same locations.
@Suite("Frames of kernels, by function and offset") struct KernelFrameTests {
  private static let folder =
    Samples.root + "/Symbols/kernel"

  private static func symbolicator(_ paths: [String]) -> Symbolicator {
    Symbolicator(
      sources: [DebugFileIndex(DebugFileScanner().scan(paths).files)], pool: SymbolCachePool())
  }

  private static func frame(
    _ function: String, _ offset: UInt64, _ size: UInt64?, image: Int = 0,
    _ position: CodePosition = .returnAddress
  ) -> Frame {
    var frame = Frame(position: position, image: image, function: function, symbolOffset: offset)
    frame.symbolSize = size
    return frame
  }

  private static func report(
    _ frames: [Frame], images: [LoadedImage] = [LoadedImage(name: "tern.ko")]
  ) -> CrashReport {
    var report = CrashReport(format: ReportFormat("linux-kernel"))
    report.process.name = "kernel"
    report.images = images
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    return report
  }

  private func places(_ report: CrashReport) throws -> [String] {
    try Self.symbolicator([Self.folder]).symbolicate(report).threads[0].frames.map {
      "\($0.function ?? "") \($0.file?.split(separator: "/").last ?? ""):\($0.line ?? 0)"
    }
  }

  @Test("A module's functions of one name are distinguished by length, with inlined calls")
  func module() throws {
    let report = Self.report([
      Self.frame("check", 0x2f, 0x3e, .exact), Self.frame("check", 0x1f, 0x24),
      Self.frame("tern_price", 0x9, 0x11), Self.frame("tern_total", 0x30, 0x54),
      // A section of its own, which comes after the other.
      Self.frame("tern_init", 0x23, 0x28),
    ])
    let expected = [
      "check till.c:9", "check desk.c:8", "discount desk.c:14", "tern_price desk.c:20",
      "tern_total till.c:18", "tern_init till.c:25",
    ]
    #expect(try places(report) == expected)
    let done = try Self.symbolicator([Self.folder]).symbolicate(report)
    #expect(done.images[0].symbols?.verdict == .found && done.images[0].symbols?.match == .name)
    #expect(done.notes.count == 1 && done.notes[0].contains("5 of 5 functions"))
    // The offset and the length stay with the function that the report names.
    #expect(done.threads[0].frames.map(\.symbolOffset) == [0x2f, 0x1f, nil, 0x9, 0x30, 0x23])
    #expect(done.threads[0].frames.map(\.symbolSize) == [0x3e, 0x24, nil, 0x11, 0x54, 0x28])
    // Once more, the same.
    #expect(try Self.symbolicator([Self.folder]).symbolicate(done).threads == done.threads)
  }

  @Test("The kernel itself has high addresses")
  func kernel() throws {
    let report = Self.report(
      [
        Self.frame("vfs_check", 0xe, 0x16), Self.frame("vfs_ioctl", 0x9, 0x10),
        Self.frame("do_syscall_64", 0x9, 0x11), Self.frame("bpf_prog_6deef7357e7b4530", 0x9, 0x11),
      ], images: [LoadedImage(name: "vmlinux", version: "6.1.0-18-amd64")])
    #expect(
      try places(report) == [
        "vfs_check head.c:11", "vfs_ioctl head.c:16", "do_syscall_64 head.c:21",
        "bpf_prog_6deef7357e7b4530 :0",
      ])
  }

  @Test("A file of another build, by the lengths of its functions, is not used, with the reason")
  func otherBuild() throws {
    let report = Self.report([
      Self.frame("tern_price", 0x9, 0x11), Self.frame("tern_total", 0x30, 0x60),
    ])
    let done = try Self.symbolicator([Self.folder]).symbolicate(report)
    #expect(done.threads[0].frames.map(\.line) == [nil, nil])
    #expect(done.images[0].symbols?.verdict == .missing)
    let tried = try #require(done.images[0].symbols?.tried.first)
    #expect(tried.verdict == .wrongCode)
    #expect(tried.detail == "tern_total+0x30/0x60 is not in it: tern_total is 0x54 long")
  }

  @Test("A file without any function of the report is not used")
  func strange() throws {
    let done = try Self.symbolicator([Self.folder]).symbolicate(
      Self.report([Self.frame("gull_fly", 0x9, 0x11)]))
    #expect(done.images[0].symbols?.verdict == .missing)
    #expect(done.threads[0].frames.map(\.function) == ["gull_fly"])
  }

  @Test("With the module's build id no name is needed; ambiguous functions stay as they are")
  func ambiguous() throws {
    let file = try #require(
      DebugFileScanner().scan([Self.folder]).files.first { $0.name == "tern.ko" })
    var image = LoadedImage(name: "tern_renamed.ko", debugID: file.debugID)
    image.codeID = file.codeID
    let report = Self.report(
      [Self.frame("check", 0x1f, nil), Self.frame("tern_price", 0x9, nil)], images: [image])
    let done = try Self.symbolicator([Self.folder]).symbolicate(report)
    #expect(done.images[0].symbols?.match == .id)
    #expect(done.threads[0].frames.map(\.line) == [nil, 14, 20])
    #expect(done.notes == ["tern_renamed.ko: several functions fit check+0x1f"])
  }

  @Test("Offsets beyond any function, and of other reports' managed code, are not looked up")
  func hostile() throws {
    for offset in [0x55, UInt64.max] {
      #expect(
        try places(
          Self.report([
            Self.frame("tern_total", offset, nil), Self.frame("tern_price", 0x9, 0x11),
          ])
        ).first == "tern_total :0")
    }
    var report = Self.report([Self.frame("tern_price", 0x9, nil)])
    report.process.name = "tern"
    #expect(try places(report) == ["tern_price :0"])
  }

  @Test("Files may have the kernel's release and dashes in their names")
  func names() throws {
    let scratch = ScratchFolder()
    for (file, name) in [("vmlinux", "vmlinux-6.1.0-18-amd64"), ("tern.ko", "tern-desk.ko")] {
      scratch.write(name, try ByteView(reading: "\(Self.folder)/\(file)", limit: 1 << 20).array)
    }
    scratch.write(
      "vmlinux-6.2.0", try ByteView(reading: "\(Self.folder)/tern.ko", limit: 1 << 20).array)
    let report = Self.report(
      [Self.frame("vfs_ioctl", 0x9, 0x10), Self.frame("tern_price", 0x9, 0x11, image: 1)],
      images: [
        LoadedImage(name: "vmlinux", version: "6.1.0-18-amd64"), LoadedImage(name: "tern_desk.ko"),
      ])
    let done = try Self.symbolicator([scratch.path]).symbolicate(report)
    #expect(done.threads[0].frames.map(\.line) == [16, 14, 20])
  }
}
