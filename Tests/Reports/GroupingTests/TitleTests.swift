import CrashModel
import Grouping
import Testing

@Suite("Titles with the kind of a sanitizer's error")
struct TitleTests {
  private func signature(
    _ type: String, sanitizer: String = "AddressSanitizer", signal: String? = nil,
    stack: String = "free\nshop::Cart::total()\nmain", tags: [ReportTag: String] = [:]
  ) -> Signature {
    ReportBuilder(stack, signal: signal).with {
      $0.format = .sanitizer
      $0.reason.type = type
      $0.tags = tags
      $0.tags[.sanitizer] = sanitizer
    }.signature
  }

  @Test(
    "The kind stands first in the title, and two kinds at one place are one group",
    arguments: [
      "heap-use-after-free", "double-free", "heap-buffer-overflow", "stack-use-after-return",
      "alloc-dealloc-mismatch",
    ])
  func kinds(kind: String) {
    let titled = signature(kind)
    #expect(titled.text == "\(kind) | shop::Cart::total")
    #expect(titled.keyText == "shop::Cart::total" && titled.titlePiece == kind)
    let plain = ReportBuilder("shop::Cart::total()\nmain").signature
    #expect(titled.key == plain.key)
    #expect(titled.key == signature("unknown-crash").key)
    let step = titled.steps.first { $0.rule == Signature.titleRule }
    #expect(step?.subject == "reason.type" && step?.result == kind)
  }

  @Test("Undefined behaviour has its kind in the title, and only once if it is in the key")
  func undefined() {
    let sanitizer = "UndefinedBehaviorSanitizer"
    let kind = "signed integer overflow"
    #expect(signature(kind, sanitizer: sanitizer).text == "\(kind) | shop::Cart::total")
    let nameless = signature(kind, sanitizer: sanitizer, stack: "@ /lib/libc.so.6 +0x10")
    #expect(nameless.text == "\(kind) | [libc.so]" && nameless.titlePiece == nil)
  }

  @Test("Signals, leaks, races and exhausted memory are unchanged")
  func others() {
    #expect(signature("SEGV", signal: "SIGSEGV").text == "shop::Cart::total")
    #expect(signature("deadly signal", sanitizer: "libFuzzer").text == "shop::Cart::total")
    for (signature, text) in [
      (signature("detected memory leaks", sanitizer: "LeakSanitizer"), "leak"),
      (signature("data race", sanitizer: "ThreadSanitizer"), "data race"),
    ] {
      #expect(signature.text == "\(text) | shop::Cart::total" && signature.titlePiece == nil)
      #expect(signature.key != self.signature("heap-use-after-free").key)
    }
    #expect(signature("out-of-memory").titlePiece == nil)
  }
}
