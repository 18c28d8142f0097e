import CrashModel
import Grouping
import Identifiers
import Testing

/// Reports with few facts, which make the key.
@Suite("Reports with few facts") struct LittleKnownTests {
  private typealias Build = ReportBuilder

  /// Output of UndefinedBehaviorSanitizer without the optional stack: kind, file and line.
  private func undefined(_ kind: String, _ file: String, line: Int) -> Signature {
    var build = Build("", signal: nil)
    build.report.format = .sanitizer
    build.report.reason.type = kind
    build.report.reason.message = "\(kind): 2147483647 + \(line) cannot be represented"
    build.report.tags[.sanitizer] = "UndefinedBehaviorSanitizer"
    build.report.threads[0].frames = [Frame(position: .adjusted, file: file, line: line, column: 5)]
    return build.signature
  }

  @Test("UndefinedBehaviorSanitizer without a stack: kind and file make the key, the line does not")
  func undefinedBehaviour() {
    let overflow = undefined("signed integer overflow", "/app/src/Till.cpp", line: 12)
    #expect(overflow.text == "signed integer overflow | till.cpp")
    #expect(overflow.key == undefined("signed integer overflow", "src/Till.cpp", line: 80).key)
    let others = [
      undefined("division by zero", "/app/src/Till.cpp", line: 12),
      undefined("signed integer overflow", "/app/src/Stock.cpp", line: 12),
    ]
    #expect(Set(([overflow] + others).map(\.key)).count == 3)
    #expect(!overflow.isProvisional)
  }

  @Test("Kind and message replace a missing function in the text; EMPTY if nothing is known")
  func kindAndWords() {
    #expect(Build("??").text == "SIGSEGV | no names | [shop] 1.0 (12)")
    let words = Build("", signal: "SIGBUS").with { $0.reason.message = "cart 0x7f00 is gone" }
    #expect(words.text == "SIGBUS | cart <hex> is gone | no frames | [shop] 1.0 (12)")
    #expect(
      Build("start_thread\nclone").text != Build("start_thread\nclone", signal: "SIGABRT").text)
    #expect(Build(signal: nil).text == "EMPTY no thread | [shop] 1.0 (12)")
    // A category contains it already.
    let late = Build(signal: nil).with { $0.kind = .oom }
    #expect(late.text == "OOM | no thread | [shop] 1.0 (12)")
  }

  /// A report that was truncated before its list of images: the offsets are there.
  private func cut(_ stack: String) -> Signature {
    var build = Build(stack)
    for index in build.report.threads[0].frames.indices {
      build.report.threads[0].frames[index].imageOffset = ImageOffset(UInt64(0x1000 + index * 16))
    }
    return build.signature
  }

  @Test("A report truncated before its images is provisional, and not in the group of `start`")
  func cutBeforeImages() {
    let signature = cut("??\n??\nstart")
    #expect(signature.text == "[?]+0x1000 | [?]+0x1010")
    #expect(signature.isProvisional && signature.waitsFor.isEmpty)
    #expect(cut("pthread_kill\nabort\n??\nstart").text == "[?]+0x1020")
    #expect(cut("nanosleep\n??\nstart").text == "nanosleep | [?]+0x1010")
    // Truncated in the middle of the stack.
    #expect(cut("pthread_kill\nabort").isProvisional)
    // With a function of the app, it is complete.
    let known = cut("??\nshop::total()\nstart")
    #expect(known.text == "shop::total" && !known.isProvisional)
  }

  @Test("An image without a name makes no group either", arguments: ["???", "<unknown>", "", "??"])
  func unnamedImage(name: String) {
    var build = Build("@ /opt/shop/lib/x.so +0x40\nstart", signal: "SIGSEGV")
    build.report.images[0].name = name
    build.report.images[0].path = nil
    let id = build.report.images[0].debugID
    #expect(build.text == "[? \(id?.description.prefix(8) ?? "")]+0x40")
    #expect(build.signature.isProvisional && build.signature.waitsFor == [id].compactMap { $0 })
  }

  @Test(
    "Helpers that say nothing do not end the walk",
    arguments: [
      "operator->", "at", "bucket_count", "SkAbort_FileLine", "~~CheckLogMessage", "ExitCallback",
      "v8::internal::Runtime_AbortJS(int)", "libfuzzer_sys::initialize::{{closure}}",
      "GetHandleVerifier+0x15a519c",
    ])
  func helpers(name: String) {
    #expect(Build("\(name)\nshop::total()\nmain").text == "shop::total")
    var far = Build("nearest\nshop::total()\nmain")
    #expect(far.text == "nearest")
    far.report.threads[0].frames[0].symbolOffset = 10 << 20
    #expect(far.text == "shop::total")
    #expect(Build("nearest+0x1f\nmain").text == "nearest")
  }

  @Test("Reports without a crash are separate from crashes, and their text has no crash")
  func noCrash() {
    let crash = Build("shop::total()\nmain").signature
    let other = Build("shop::total()\nmain").with { $0.kind = .other }.signature
    #expect(other.text == "no crash | shop::total" && other.key != crash.key)
    let hang = Build("shop::total()\nmain", signal: nil).with { $0.kind = .hang }.signature
    for signature in [other, hang] {
      #expect(!signature.steps.contains { $0.result.contains("crashed") })
    }
    #expect(crash.steps[0].result == "thread 0, which crashed")
  }
}
