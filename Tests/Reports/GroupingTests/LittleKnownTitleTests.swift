import CrashModel
import Grouping
import Testing

/// Titles of reports with few facts about the crash.
@Suite("Titles where little is known")
struct LittleKnownTitleTests {
  private func build(_ stack: String, signal: String? = "SIGSEGV") -> ReportBuilder {
    ReportBuilder(stack, signal: signal)
  }

  @Test("Without a known function, the program's message is in the title and not in the key")
  func words() {
    let plain = build("@ /usr/lib/libGL.so.1 +0x10\n@ /opt/shop/bin/shop +0x100")
    #expect(plain.text.hasPrefix("[libGL.so] | [shop "))
    let spoken = plain.with { $0.reason.message = "cart 17 is closed" }.signature
    #expect(spoken.text == "cart <num> is closed | \(plain.text)")
    #expect(spoken.titlePiece == "cart <num> is closed")
    #expect(spoken.key == plain.signature.key)
    // With a function of the app they are not needed.
    let named = build("shop::f()\nmain").with { $0.reason.message = "cart 17 is closed" }
    #expect(named.text == "shop::f")
  }

  @Test("Modules alone follow the kind of death, only in the title")
  func modules() {
    let modules = build("@ /usr/lib/libGL.so.1 +0x10\n@ /usr/lib/libEGL.so.1 +0x10")
    #expect(modules.text == "SIGSEGV | [libGL.so] | [libEGL.so]")
    #expect(modules.signature.keyText == "[libGL.so] | [libEGL.so]")
    #expect(build("gtk_widget_show @ /usr/lib/libgtk-3.so.0").text == "gtk_widget_show")
  }

  @Test("Two ways to die in the program's first function are two groups")
  func entry() {
    let fault = build("main\n__libc_start_main")
    #expect(fault.text == "SIGSEGV | main" && fault.signature.keyText == "SIGSEGV | main")
    #expect(build("raise\nabort\nmain", signal: "SIGABRT").text == "SIGABRT | main")
    #expect(build("std::vector<int>::at(unsigned long)\nmain").text == "std::vector<T>::at | main")
  }

  @Test("After a message, the bottom of a stack and runtimes add nothing")
  func bottom() {
    let build = build("??\n??\n__libc_start_main", signal: "SIGABRT").with {
      $0.reason.message = "app: cart.c:12: f: Assertion `a < b' failed."
    }
    #expect(build.text == "assert | cart.c: a < b | no names | [shop] 1.0 (12)")
    let main = self.build("raise\nabort\nmain", signal: "SIGABRT").with {
      $0.reason.message = "app: cart.c:12: f: Assertion `a < b' failed."
    }
    #expect(main.text == "assert | cart.c: a < b | main")
  }

  @Test("Code outside any function is named by its file")
  func topLevel() {
    func text(_ function: String?, _ file: String, below: String = "") -> String {
      var build = build("??\n\(below)", signal: nil)
      build.report.threads[0].frames[0].function = function
      build.report.threads[0].frames[0].file = file
      let frames = build.report.threads[0].frames
      build.report.reason.exception = LanguageException(type: "Error", frames: frames)
      return build.text
    }
    #expect(text(nil, "/app/Orders.js", below: "Module._compile") == "Error | orders.js")
    #expect(text(nil, "node:internal/main", below: "Module._compile") == "Error | Module._compile")
    #expect(text(nil, "/app/orders.js", below: "total") == "Error | total")
    #expect(text("<main>", "/app/orders.rb") == "Error | orders.<main>")
    #expect(text("<module>", "/app/orders") == "Error | orders.<module>")
    #expect(text("<module>", "/app/orders.py") == "Error | orders.<module>")
    #expect(text("<lua/orders.lua:12>", "lua/orders.lua") == "Error | orders.lua")
  }

  @Test(
    "Placeholders for a missing name",
    arguments: [
      "libpthread.so.0", "linux-gate.so.1", "/lib64/libc.so.6+0x90890", "memcpy-ssse3-back.S:1702",
      "00000001028d885c", "Ordinal101",
    ])
  func noFunction(name: String) {
    #expect(build("\(name)\nshop::f()\nmain").text == "shop::f")
    #expect(build("\(name)\nmain").text == "SIGSEGV | main")
  }

  @Test(
    "Names that only look like that stay",
    arguments: ["feedface::run", "cafebabe", "Ordinal", "shop.sort", "OrdinalDate::next"])
  func function(name: String) {
    #expect(build("\(name)\nmain").text == name)
  }

  @Test("A report that is not a death begins with what was measured")
  func measured() {
    let build = build("shop::f()\nmain", signal: nil).with {
      $0.kind = .other
      $0.reason.type = "cpu usage"
      $0.reason.message = "90 seconds cpu time over 150 seconds"
    }
    #expect(build.text == "cpu usage | shop::f")
    let resource = build.with {
      $0.reason.type = "EXC_RESOURCE"
      $0.reason.code = "IO"
    }
    #expect(resource.text == "EXC_RESOURCE IO | shop::f")
    #expect(build.with { $0.reason.type = nil }.text == "no crash | shop::f")
  }

  @Test(
    "File and text of more assertions",
    arguments: [
      (
        "frameworks/av/Extractor.cpp:1234 CHECK_EQ(a, b) failed.",
        "extractor.cpp: CHECK_EQ(a, b) failed."
      ),
      ("Shop/Cart.swift:12: the cart is closed", "cart.swift: the cart is closed"),
      ("Assertion failed: file Shop/Cart.swift, line 12", "cart.swift: Assertion failed"),
      (
        "the cart is open [File:D:/shop/Cart.cpp] [Line: 12] closed", "cart.cpp: the cart is open"
      ),
      ("BUG IN CLIENT OF LIBX: gone Abort Cause 4711", "BUG IN CLIENT OF LIBX: gone"),
      (
        "panicked at src/cart.rs:3:9: assertion `left == right` failed: total left: 1 right: 2",
        "cart.rs: assertion `left == right` failed: total"
      ),
      ("cart:12 is closed", "cart:<num> is closed"),
    ])
  func assertions(message: String, piece: String) {
    let build = build("raise\nabort\nshop::f()\nmain", signal: "SIGABRT")
      .with { $0.reason.message = message }
    #expect(build.text == "assert | \(piece) | shop::f")
  }

  @Test("An error helper counts if nothing else of the app is there")
  func helper() {
    let helped = build("Shop.Buttons.LogError()\nUnityEngine.EventSystems.EventSystem.Update()")
      .with { $0.kind = .handled }
    #expect(helped.text == "handled | Shop.Buttons.LogError()")
    let called = build("Shop.Log.logError()\nShop.Cart.close()").with { $0.kind = .handled }
    #expect(called.text == "handled | Shop.Cart.close()")
  }

  @Test("An executable of unknown name is not named")
  func unknownProcess() {
    let build = build("", signal: "SIGKILL").with {
      $0.process.name = "???"
      $0.app = AppIdentity()
    }
    #expect(build.text == "SIGKILL | no frames")
  }
}
