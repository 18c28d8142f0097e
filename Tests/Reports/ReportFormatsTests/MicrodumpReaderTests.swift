import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Microdumps")
struct MicrodumpReaderTests {
  private func read(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  /// The lines of one, with a logger's prefix.
  private func lines(prefix: String = "", processor: String = "arm", product: String = "Tern:1.2")
    -> String
  {
    let isWide = processor == "x86_64"
    var context = [UInt8](repeating: 0, count: isWide ? 1232 : 368)
    func put(_ value: UInt64, _ offset: Int, _ size: Int) {
      for index in 0..<size {
        context[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
      }
    }
    if isWide {
      put(0x5555_1234, 248, 8)
      put(0x7ffe_1000, 152, 8)
    } else {
      put(0x4000_1234, 64, 4)
      put(0x7ffe_1000, 56, 4)
    }
    let hex = context.map {
      String($0 >> 4, radix: 16).uppercased() + String($0 & 15, radix: 16).uppercased()
    }
    return [
      "-----BEGIN BREAKPAD MICRODUMP-----", "V \(product)", "P renderer",
      "R 0000000B SIGSEGV 00000018",
      "O A \(processor) 04 armv8l lge/p1: user 6.0", "G Adreno (TM) 418",
      "S 0 7FFE1000 7FFE1000 00000010",
      "S 7FFE1000 0102030405060708", "S 7FFE1008 1112131415161718", "C " + hex.joined(),
      "M 40000000 00000000 00010000 0102030405060708090A0B0C0D0E0F100 libtern one.so",
      "M 50000000 00000000 00001000 000000000000000000000000000000000 libc.so",
      "-----END BREAKPAD MICRODUMP-----",
    ].map { prefix + $0 + "\n" }.joined()
  }

  @Test(
    "Registers, stack, modules, reason and app",
    arguments: [
      "", "W/google-breakpad( 3728): ",
      "02-25 07:59:17.030 F/google-breakpad(16162): ",
    ])
  func whole(prefix: String) throws {
    let report = try #require(try read("noise\n" + lines(prefix: prefix) + "more\n").first)
    #expect(report.format.description == "microdump")
    #expect(report.app == AppIdentity(name: "Tern", version: "1.2"))
    #expect(report.os == OperatingSystem(name: "Android", version: "lge/p1: user 6.0"))
    #expect(report.device.architecture == .arm)
    #expect(report.reason == CrashReason(signal: "SIGSEGV", address: Address(0x18)))
    #expect(report.threads.first?.registers.first { $0.name == "pc" }?.value == 0x4000_1234)
    #expect(report.memory?.number(at: 0x7ffe_1006, size: 4) == 0x1211_0807)
    #expect(report.images.map(\.name) == ["libtern one.so", "libc.so"])
    #expect(report.images.first?.debugID == DebugID("0102030405060708090A0B0C0D0E0F100"))
    #expect(report.images.last?.debugID == nil)
    #expect(report.tags[.gpu] == "Adreno (TM) 418")
    #expect(report.tags[.cpuCount] == "4")
    #expect(report.properties["process_type"] == "renderer")
    #expect(report.notes == [])
  }

  @Test("Each of several in a log is a report; a truncated one gives the available data")
  func several() throws {
    let prefix = "F/google-breakpad(7): "
    let cut = lines(prefix: prefix, product: "Heron:2.0").prefix(400)
    let reports = try read(lines(prefix: prefix, processor: "x86_64") + cut)
    #expect(reports.map(\.app.name) == ["Tern", "Heron"])
    #expect(reports.first?.notes == [])
    #expect(
      reports.first?.threads.first?.registers.first { $0.name == "rip" }?.value == 0x5555_1234)
    #expect(reports.last?.notes.contains("the microdump is cut off") == true)
  }

  @Test("Truncated anywhere and with changed bytes there is a report or none")
  func damage() throws {
    let text = Array(lines(prefix: "F/google-breakpad(7): ").utf8)
    var found = 0
    for end in stride(from: 0, to: text.count, by: 11) {
      found += (try? FormatRegistry.builtIn.reports(in: ByteView(text[..<end])).count) ?? 0
    }
    for bytes in Mutator.binary(text, count: 300, seed: 5) {
      found += (try? FormatRegistry.builtIn.reports(in: ByteView(bytes)).count) ?? 0
    }
    #expect(found > 200)
  }
}
