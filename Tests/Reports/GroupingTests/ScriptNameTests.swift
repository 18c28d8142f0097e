import CrashModel
import Grouping
import Testing

@Suite("Names of scripts") struct ScriptNameTests {
  private static func signature(
    _ function: String, _ file: String, caller: String = "boot"
  ) -> String {
    func frame(_ name: String) -> Frame {
      Frame(position: .returnAddress, function: name, file: file, line: 12)
    }
    var report = CrashReport(format: ReportFormat("javascript"))
    report.reason.type = "TypeError"
    report.reason.exception = LanguageException(
      type: "TypeError", message: "no till", frames: [frame(function), frame(caller)])
    return Signer(rules: .v1).signature(of: report, app: "tern").text
  }

  @Test(
    "A script's own functions are not those of C, C++ or Swift",
    arguments: [
      "start", "main", "kill", "abort", "exit", "free", "at", "terminate", "raise", "throw",
      "panic",
      "clone", "malloc", "memcpy", "poll", "select", "signal", "fail", "assert", "die", "error",
      "push_back", "emplace_back", "dispatch_once", "run", "invoke_main",
    ])
  func own(name: String) {
    for file in [
      "/app/server.js", "/app/lib/desk.rb", "/app/desk.php", "/app/Desk.pm", "/app/bin/tern",
      "/app/desk.nim",
      "src/desk.cr", "src/Desk.hs",
    ] {
      #expect(Self.signature(name, file) == "TypeError | \(name)", "\(file)")
    }
    #expect(Self.signature(name, "https://tern.example/app.js?v=2") == "TypeError | \(name)")
  }

  @Test("The same names in a compiled program are")
  func compiled() {
    #expect(Self.signature("abort", "/src/tern.c") == "TypeError | boot")
  }

  @Test(
    "By which object a function was called is not part of its name",
    arguments: ["Module.total", "exports.total", "module.exports.total", "global.total", "total"])
  func receivers(name: String) {
    #expect(Self.signature(name, "/app/till.js") == "TypeError | total")
    #expect(Self.signature(name, "/app/till.rb") == "TypeError | \(name)")
  }

  @Test("Code that runs scripts is still not the app's")
  func runtime() {
    for name in ["Module._compile", "Promise.all", "Array.map"] {
      #expect(Self.signature(name, "/app/server.js") == "TypeError | boot", "\(name)")
    }
    #expect(Self.signature("JSON.parse", "/app/server.js") == "TypeError | JSON.parse | boot")
  }

  @Test(
    "Blocks of Ruby's are of their method, however deep",
    arguments: [
      "block in take", "block (2 levels) in take", "block (13 levels) in take", "rescue in take",
      "ensure in block (2 levels) in take", "block (1 level) in take",
    ])
  func blocks(name: String) {
    #expect(Self.signature(name, "/app/desk.rb") == "TypeError | take")
  }

  @Test(
    "A function is one in all browsers",
    arguments: [
      "Cart.total", "total", "Cart.total [as sum]", "async total", "async*total", "total/<",
      "Cart.prototype.total", "get total", "Object.total",
    ])
  func browsers(name: String) {
    #expect(Self.signature(name, "https://tern.example/app.js") == "TypeError | total")
  }

  @Test("Node's functions keep their classes")
  func node() {
    #expect(Self.signature("Cart.total", "/app/cart.js") == "TypeError | Cart.total")
  }
}
