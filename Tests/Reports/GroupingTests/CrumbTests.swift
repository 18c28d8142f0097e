import CrashModel
import Grouping
import Testing

/// Notes of Apple's frameworks on what the program was doing.
@Suite("Notes of what ran") struct CrumbTests {
  private func build(_ message: String?, _ signal: String = "SIGTRAP") -> ReportBuilder {
    ReportBuilder("Shop.Cart.total()\nmain", signal: signal).with {
      $0.format = .appleCrash
      $0.reason.type = "EXC_BREAKPOINT"
      $0.reason.message = message
    }
  }

  @Test(
    "They are not assertions",
    arguments: [
      "Performing @selector(save:) from sender NSButton 0x7f87d143f8c0",
      "objc_msgSend() selector name: release", "dyld: in dlopen()", "dyld3 mode",
      "dyld: launch, running initializers", "crashed on child side of fork pre-exec",
      "*** multi-threaded process forked ***\ncrashed on child side of fork pre-exec",
      "Pid 411 CORPSE: Maximum corpses", "Enqueued from com.apple.main-thread (Thread 0x1a)",
    ], ["SIGTRAP", "SIGILL", "SIGABRT"])
  func crumbs(message: String, signal: String) {
    let noted = build(message, signal).signature
    let plain = build(nil, signal).signature
    #expect(noted.key == plain.key && noted.text == plain.text)
    #expect(noted.category == plain.category)
    #expect(noted.steps.contains { $0.rule.hasPrefix("crumbs.rules:") })
  }

  @Test("Text beside them counts")
  func others() {
    let said = build("dyld3 mode\nDrawer.swift:12: Fatal error: the drawer is open").signature
    #expect(said.key == build("Drawer.swift:12: Fatal error: the drawer is open").signature.key)
    #expect(said.category == .assertion)
  }
}
