import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Unreal and Unity")
struct EngineReaderTests {
  private func reports(_ bytes: [UInt8]) throws -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: ByteView(bytes))
    } catch {
      return []
    }
  }

  private func context() throws -> [UInt8] {
    try ByteView(reading: Samples.path("unreal/assert-1.0.0.runtime-xml"), limit: 1 << 20).array
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func name(_ text: String) -> [UInt8] {
    number(260) + Array(text.utf8) + [UInt8](repeating: 0, count: 260 - text.utf8.count)
  }

  /// A zlib stream of stored blocks.
  private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x78, 0x01]
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(0xffff)
      rest = rest.dropFirst(part.count)
      output.append(rest.isEmpty ? 1 : 0)
      output += number(part.count)[..<2] + number(~part.count)[..<2] + part
    } while !rest.isEmpty
    return output + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
  }

  private func archive(_ files: [(String, [UInt8])], isNew: Bool) -> [UInt8] {
    let body = files.enumerated().flatMap { index, file in
      number(index) + name(file.0) + number(file.1.count) + file.1
    }
    let header = name("UECC-Linux-1") + name("UECC-Linux-1.uecrash")
    return isNew
      ? stored(Array("CR1".utf8) + header + number(body.count) + number(files.count) + body)
      : stored(
        header + number(0) + number(0) + body + header + number(body.count) + number(files.count))
  }

  @Test("The context alone: facts, and the portable stack")
  func contextAlone() throws {
    let report = try #require(try reports(context()).first)
    #expect(report.format.description == "unreal" && report.kind == .crash)
    #expect(report.app.name == "Tern" && report.app.version == "1.0.0" && report.os.name == "Linux")
    #expect(report.reason.type == "Assert")
    #expect(report.reason.message?.hasPrefix("Assertion failed: Item && Item->Price") == true)
    #expect(report.images.map(\.name) == ["Tern", "libc.so.6"])
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.imageOffset) == [
        ImageOffset(0x6994e8), ImageOffset(0x5bafc8), ImageOffset(0x2724a),
      ])
    #expect(frames[0].address == Address(0xa994e8) && frames[0].position == .returnAddress)
  }

  @Test("An archive, old and new, with a dump and without one", arguments: [true, false])
  func archives(isNew: Bool) throws {
    let context = try context()
    let alone = try #require(
      try reports(archive([("CrashContext.runtime-xml", context)], isNew: isNew)).first)
    #expect(alone.format.description == "unreal" && alone.threads.first?.frames.count == 3)
    let dump = try ByteView(
      reading: Samples.path(try #require(Samples.all(in: "minidump").first)), limit: 1 << 24
    ).array
    let both = try reports(
      archive([("CrashContext.runtime-xml", context), ("UEMinidump.dmp", dump)], isNew: isNew))
    #expect(both.map(\.format.description) == ["minidump"])
    #expect(both.first?.app.name == "Tern")
    #expect(
      both.first?.properties["CrashGUID"] == "UECC-Linux-BE158C204743B19F615106ACB2EE2052_0001")
    #expect(both.first?.tags[.wrapperVersion] == "5.4.4-0+UE5")
  }

  @Test("Stacks in logs of Unreal have their message, modules and locations")
  func unrealLog() throws {
    let windows = """
      [2024.05.01-10.11.12:123][ 42]LogTern: Till opens
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error: === Critical error: ===
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error:
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error: Assertion failed: Item [File:D:\\tern\\Till.cpp] [Line: 20]
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error:
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error: [Callstack] 0x00007ffd1c2a3b4c Tern.dll!ATill::Pay() [D:\\tern\\Till.cpp:20]
      [2024.05.01-10.11.13:456][ 42]LogWindows: Error: [Callstack] 0x00007ffd2b3c4d5e KERNEL32.DLL!UnknownFunction []
      [2024.05.01-10.11.13:460][ 42]LogExit: Executing StaticShutdownAfterError
      """
    #expect(try reports(Array((windows + "\n" + windows).utf8)).map(\.threads.count) == [1, 1])
    let report = try #require(try reports(Array(windows.utf8)).first)
    #expect(report.format.description == "unreal" && report.kind == .crash)
    #expect(report.reason.type == "Assert")
    #expect(
      report.reason.message == "Assertion failed: Item [File:D:\\tern\\Till.cpp] [Line: 20]")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["ATill::Pay()", nil] && frames.map(\.line) == [20, nil])
    #expect(frames.map(\.address) == [Address(0x7ffd_1c2a_3b4c), Address(0x7ffd_2b3c_4d5e)])
    #expect(report.images.map(\.name) == ["Tern.dll", "KERNEL32.DLL"])

    let android = """
      Build ID: d93802d1055a6ef2a60a622286d92a55e3e0f351
      Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x0000000000000010
      0x00000073F26BCC7C libUnreal.so(0x000000000988EC7C)!ATill::Pay(bool&) const  []
      0x000000784152AA2C libc.so(0x00000000000CBA2C)![Unknown]()  []
      """
    let other = try #require(try reports(Array(android.utf8)).first)
    #expect(other.reason.signal == "SIGSEGV")
    #expect(other.images.map(\.base) == [Address(0x73_e8e2_e000), Address(0x78_4145_f000)])
    #expect(
      other.threads.first?.frames.map(\.imageOffset) == [
        ImageOffset(0x988_ec7c), ImageOffset(0xc_ba2c),
      ])
    #expect(other.threads.first?.frames.map(\.function) == ["ATill::Pay(bool&) const", nil])

    let ensure = """
      LogOutputDevice: Error: === Handled ensure: ===
      LogOutputDevice: Error: Ensure condition failed: bOpen [File:Till.cpp] [Line: 7]
      LogOutputDevice: Error: Stack:
      LogOutputDevice: Error: [Callstack] 0x00007ffd1c2a3b4c Tern.dll!ATill::Open() [D:\\tern\\Till.cpp:7]
      """
    let handled = try #require(try reports(Array(ensure.utf8)).first)
    #expect(handled.kind == .handled && handled.reason.type == "Ensure")
  }

  /// `error.log` of Unity's crash handler up to the registers.
  private static let fault = """
    Unity Player [version: Unity 2022.3.10f1_ff3792e53c62]

    Tern.exe caused an Access Violation (0xc0000005)
      in module UnityPlayer.dll at 0033:6a2f1c3d.

    Error occurred at 2026-05-01_101112.
    C:\\Games\\Tern\\Tern.exe, run by ann.
    45% physical memory in use.
    Write to location 0000000000000018 caused an access violation.

    Context:
    RDI:    0x0000000000000000  RSI: 0x0000021c0a5b6c00  RAX:   0x0000000000000000
    RIP:    0x00007ffd6a2f1c3d  CS:  0x00000033  EFLAGS: 0x00010246

    """

  @Test("Output of Unity's crash handler, with a stack and without")
  func unityFault() throws {
    let stack = """
      Stack Trace of Crashed Thread 4712:
      0x00007FFD6A2F1C3D (UnityPlayer) UnityMain
      0x00007FF6A1B211FB (Tern) (function-name not available)
      0x00007FFE57838363 (KERNEL32) BaseThreadInitThunk
      Stacks for Running Threads:

      """
    for text in [Self.fault + stack, Self.fault] {
      let report = try LogReaderChecks.only(text)
      #expect(report.format.description == "unity" && report.kind == .crash)
      #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION_WRITE")
      #expect(report.reason.address == Address(0x18) && report.os.name == "Windows")
      #expect(report.app.name == "Tern.exe" && report.time?.description == "2026-05-01T10:11:12Z")
      #expect(report.tags[.wrapperVersion] == "2022.3.10f1_ff3792e53c62")
      let frames = try #require(report.threads.first?.frames)
      #expect(
        frames.first?.address == Address(0x7ffd_6a2f_1c3d) && frames.first?.position == .exact)
      #expect(frames.first?.image.map { report.images[$0].name }?.hasPrefix("UnityPlayer") == true)
    }
    let frames = try LogReaderChecks.only(Self.fault + stack).threads[0].frames
    #expect(frames.map(\.function) == ["UnityMain", nil, "BaseThreadInitThunk"])
  }

  @Test("Messages that are not a player's crash")
  func noUnityFault() throws {
    for line in [
      "the update caused a delay (0x10)\n", "Tern.exe caused an error\n  in module a.dll\n",
    ] {
      #expect(try LogReaderChecks.reports(line).isEmpty)
    }
  }

  @Test("Errors in the log of Unity, and crashes of its player")
  func unity() throws {
    let log = try ByteView(reading: Samples.path("unity/missing-price-1.0.0.log"), limit: 1 << 20)
      .array
    let report = try #require(try reports(log).first)
    #expect(report.format.description == "unity" && report.kind == .handled)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "NullReferenceException")
    #expect(
      exception.frames.map(\.function) == [
        "Tern.Basket.Total()", "Tern.Till.Charge(Tern.Basket basket)",
        "UnityEngine.EventSystems.EventSystem.Update()",
      ])
    #expect(exception.frames.map(\.line) == [12, 16, 530])
    let crash = """
      Crash!!!
      ========== OUTPUTTING STACK TRACE ==================

      0x00007FFE12345678 (UnityPlayer) UnityMain
        ERROR: SymGetSymFromAddr64, GetLastError: 'x' (Address: 00007FFE12345678)
      0x0000023A5B6C7D8E (Mono JIT Code) [Till.cs:85] Till:Charge ()

      ========== END OF STACKTRACE ===========
      Obtained 1 stack frames.
      #0  0x00007f5a3853e050 in funlockfile
      """
    let crashes = try reports(Array(crash.utf8))
    #expect(
      crashes.map { $0.threads.first?.frames.map(\.function) } == [
        ["UnityMain", "Till:Charge ()"], ["funlockfile"],
      ])
    #expect(crashes.first?.threads.first?.frames.last?.line == 85)
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let whole = archive([("CrashContext.runtime-xml", try context())], isNew: false)
    let log = try ByteView(reading: Samples.path("unity/missing-price-1.0.0.log"), limit: 1 << 20)
      .array
    for bytes in [whole, try context(), log] {
      for count in stride(from: 0, to: bytes.count, by: 11) {
        #expect(try reports(Array(bytes[..<count])).count <= 1)
      }
      var mutator = Mutator(seed: 1)
      for _ in 0..<100 { #expect(try reports(mutator.mutated(bytes)).count < 10) }
    }
  }
}
