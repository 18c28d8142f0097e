import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

@Suite("Reports of Trusty")
struct TrustyReaderTests {
  @Test("The stack of the app is that of the thread; the kernel's is a separate one")
  func sample() throws {
    let text = try LogReaderChecks.sample("trusty/missing-key.txt")
    let report = try LogReaderChecks.only(text)
    #expect(report.format.description == "trusty" && report.notes.isEmpty)
    #expect(report.app.name == "tern.keys" && report.os.build == "4711")
    #expect(report.os.version == "tern-secure")
    #expect(report.reason.type == "data fault reading" && report.reason.address == Address(0x18))
    #expect(report.reason.code == "Translation fault, level 1")
    #expect(report.reason.message == "Unclean exit from critical app")
    let frames = try #require(report.threads.first).frames
    #expect(frames.map(\.function) == ["keys_unwrap", "keys_sign", "on_message"])
    #expect(frames.map(\.line) == [84, 55, 74])
    #expect(frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    let kernel = try #require(report.otherStacks.first).frames
    #expect(kernel.map(\.function) == ["trusty_app_exit", "arm64_sync_exception", nil])
    #expect(kernel.compactMap(\.file).isEmpty && report.images.map(\.name) == ["lk.elf"])
  }

  @Test("A panic of the kernel alone is the kernel's, and hidden addresses do no harm")
  func panic() throws {
    let text = """
      <6>[ 12.3] trusty: Backtrace for thread: idle 0
      <6>[ 12.3] trusty: kSP+0x0df0: 0x***
      <6>[ 12.3] trusty: kSP+0x0e70: 0xffff000000005674
      <6>[ 12.3] trusty: panic (caller 0x***): out of pages
      """
    let report = try LogReaderChecks.only(text)
    #expect(report.app.name == "Trusty" && report.reason.type == "panic")
    #expect(report.reason.message == "out of pages")
    #expect(report.threads.first?.frames.map(\.address) == [nil, Address(0xffff_0000_0000_5674)])
  }

  @Test("A heading without frames is not a report; truncated or damaged, it is read or refused")
  func damage() throws {
    #expect(try LogReaderChecks.reports("Backtrace for thread: main\nno frames here\n").isEmpty)
    let text = try LogReaderChecks.sample("trusty/missing-key.txt")
    try LogReaderChecks.expectSame(text, in: ReportFormat("trusty"))
    try LogReaderChecks.expectBounded(text)
  }
}
