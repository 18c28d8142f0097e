import CrashModel
import Grouping
import Identifiers
import Testing

/// Owners of locations if a client's marks or its addresses are useless.
@Suite("The program's own file, and addresses that are not locations") struct OwnPlaceTests {
  /// Report of a client for Apple's systems without symbols, started at `slide`.
  private func build(_ slide: UInt64, _ path: String = "/var/c/A/Tern.app/Tern") -> ReportBuilder {
    var build = ReportBuilder(
      """
      @ /usr/lib/system/libsystem_kernel.dylib +0x814a
      @ \(path) +0x2cf4
      @ /System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore +0x10
      @ ??? +0x10
      @ ??? +0x20
      """, signal: "SIGABRT")
    build.report.process.path = nil
    build.report.process.name = nil
    build.report.images[3].name = "???"
    build.report.images[3].path = nil
    build.report.images[3].debugID = nil
    build.report.images[3].base = Address(0)
    for index in build.report.threads[0].frames.indices {
      build.report.threads[0].frames[index].inApp = false
    }
    for index in 3...4 {
      build.report.threads[0].frames[index].imageOffset = ImageOffset(
        slide + UInt64(index) * 0x1000)
    }
    return build
  }

  @Test("Two starts of a program are one group, named by its own file")
  func starts() {
    let first = build(0x1_0890_23df).signature
    let second = build(0x1_06ce_23df).signature
    #expect(first.key == second.key)
    #expect(first.text.hasPrefix("[Tern ") && first.text.hasSuffix("]+0x2cf4"))
    #expect(first.isProvisional)
    let mac = build(0x1_0890_23df, "/Applications/Tern.app/Contents/MacOS/Tern").signature
    #expect(mac.text.hasSuffix("]+0x2cf4"))
  }

  @Test("An absolute address is not part of the text, in any notation")
  func addresses() {
    var build = ReportBuilder("??\n??")
    for (index, address) in [0x7fff_2034_1000, 0x5555_0000_1000].enumerated() {
      build.report.threads[0].frames[index].imageOffset = ImageOffset(UInt64(address))
    }
    #expect(build.text == "SIGSEGV | no names | [shop] 1.0 (12)")
    // A framework beside the program keeps the client's mark.
    let framework = self.build(0x1_0000_0000, "/var/c/A/Tern.app/Frameworks/Till.framework/Till")
    #expect(!framework.text.contains("+0x"))
  }

  @Test("Marks count if a client sets them")
  func marks() {
    var build = ReportBuilder(
      "shop::wrap() @ /opt/shop/bin/shop\nshop::total() @ /opt/shop/bin/shop")
    build.report.threads[0].frames[0].inApp = false
    #expect(build.text == "shop::wrap")
    build.report.threads[0].frames[1].inApp = true
    #expect(build.text == "shop::wrap | shop::total")
  }
}
