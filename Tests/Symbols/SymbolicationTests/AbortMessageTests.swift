import Bytes
import CrashModel
import Identifiers
import SymbolSources
import Symbolication
import TestSupport
import Testing

@Suite("Messages that glibc printed before it ended the process")
struct AbortMessageTests {
  private static let id = [UInt8](1...20)

  /// A libc that has the variable `__abort_msg` at 0x2040.
  private static let library: [UInt8] = {
    let note = ObjectBuilderELF(is64: true).buildIDNote(id)
    var builder = ObjectBuilderELF(is64: true)
    builder.segments = [.init(type: 1, flags: 5, address: 0)]
    builder.sections = [
      .init(".note.gnu.build-id", type: 7, flags: 2, address: 0x200, contents: note),
      .init(".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 0x100)),
    ]
    builder.add(
      symbols: [
        .init("abort", 0x1010, size: 16, section: 2),
        // A global variable.
        .init("__abort_msg", 0x2040, size: 8, information: 0x11, section: 2),
      ], as: ".dynsym", type: 11)
    return builder.build()
  }()

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// - Parameters:
  ///   - size: The size that the structure contains.
  ///   - pointer: The address that the variable contains.
  private static func message(
    _ text: String, size: UInt64 = 4096, pointer: UInt64 = 0x70_0000, name: String = "libc.so.6",
    signal: String = "SIGABRT"
  ) throws -> String? {
    let folder = ScratchFolder()
    folder.write("libc.so.6", library)
    var report = CrashReport(format: ReportFormat("elf-core"))
    report.device.architecture = .x86_64
    report.reason.signal = signal
    report.images = [
      LoadedImage(
        name: name, architecture: .x86_64, debugID: DebugID(buildID: id), codeID: CodeID(id),
        base: Address(0x40_0000), size: 0x3000)
    ]
    report.memory = ProcessMemory(
      [
        .init(start: 0x40_2040, bytes: ByteView(bytes(pointer, 8))),
        .init(start: 0x70_0000, bytes: ByteView(bytes(size, 4) + Array(text.utf8) + [0, 65, 65])),
      ], addressSize: 8, endianness: .little)
    let files = DebugFileScanner().scan([folder.path]).files
    let symbolicator = Symbolicator(sources: [DebugFileIndex(files)], pool: SymbolCachePool())
    return try symbolicator.symbolicate(report).reason.message
  }

  @Test("It is the report's message, without the line's end")
  func text() throws {
    let words = "tern: row.c:12: main: Assertion `oars > 0' failed."
    #expect(try Self.message(words + "\n") == words)
    #expect(try Self.message(words, name: "libc-2.31.so") == words)
  }

  @Test("Other libraries, other signals and damaged pointers give no message")
  func others() throws {
    #expect(try Self.message("free(): invalid pointer", name: "libm.so.6") == nil)
    #expect(try Self.message("free(): invalid pointer", signal: "SIGSEGV") == nil)
    for pointer in [0, 0x70_1000, UInt64.max] {
      #expect(try Self.message("free(): invalid pointer", pointer: pointer) == nil)
    }
    #expect(try Self.message("free()", size: 0) == nil)
    #expect(try Self.message("") == nil)
    #expect(try Self.message("free()", size: 7) == "fre")
  }
}
