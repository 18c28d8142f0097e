import CrashModel
import Grouping
import Testing
import TriageModel

/// Stacks of one bug from other builds, machines and drivers, each with a stack that the rule must not change.
@Suite("One bug in other builds")
struct ReadingsAcrossBuildsTests {
  private static let glib = "/usr/lib/libglib-2.0.so.0"

  /// Whether two reports get into one group if there are no others.
  private static func meet(_ one: Signature, _ other: Signature) -> Bool {
    var readings: [String: Set<String>] = [:]
    for signature in [one, other] {
      readings[signature.key, default: []].formUnion(signature.alternativeKeys)
    }
    let roots = KeyPartition.roots(of: readings)
    return roots[one.key] == roots[other.key]
  }

  @Test(
    "The platform's part of a stack is reduced to the place of the crash before the app's function"
  )
  func onePiece() {
    let texts = [
      "@ /usr/lib/dri/swrast_dri.so +0x10\n@ /usr/lib/libGL.so.1 +0x20\nshop::draw\nmain",
      "@ /usr/lib/dri/swrast_dri.so +0x10\nshop::draw\nmain",
      "@ /usr/lib/dri/swrast_dri.so +0x10\nXFlush @ /usr/lib/libX11.so.6\nshop::draw\nmain",
    ].map { ReportBuilder($0).text }
    #expect(Set(texts) == ["[swrast_dri.so] | shop::draw"])
    // Another library crashed.
    #expect(
      ReportBuilder("@ /usr/lib/libGL.so.1 +0x20\nshop::draw\nmain").text
        == "[libGL.so] | shop::draw")
  }

  @Test("Frames in the text belong to its parts, and the others say why they do not")
  func usedFrames() {
    let signature = ReportBuilder(
      "@ /usr/lib/liba.so +0x1\n@ /usr/lib/libb.so +0x2\n@ /usr/lib/libb.so +0x3\nshop::f\nmain"
    ).signature
    #expect(signature.text == "[liba.so] | shop::f")
    let frames = signature.steps.filter { $0.frame != nil }
    #expect(frames.map(\.used) == [true, false, false, true, false])
    #expect(frames[1].leftOut == .surplus && frames[2].leftOut == .surplus)
  }

  @Test("Without a function of the app, the first module precedes the first named function")
  func pieceBeforePlatform() {
    let stack = """
      @ /usr/lib/liba.so +0x1
      @ /usr/lib/libb.so +0x2
      b_draw @ /usr/lib/libb.so
      c_run @ /usr/lib/libc.so
      """
    #expect(ReportBuilder(stack).text == "[liba.so] | b_draw")
  }

  @Test("Without any function two modules are the text")
  func twoModules() {
    let head = "@ /usr/lib/liba.so +0x1\n@ /usr/lib/libb.so +0x2\n"
    #expect(
      ReportBuilder(head + "@ /usr/lib/libc1.so +0x3").signature.keyText == "[liba.so] | [libb.so]")
    #expect(
      ReportBuilder(head + "@ /usr/lib/libc1.so +0x3").signature.key
        == ReportBuilder(head + "@ /usr/lib/libd.so +0x3").signature.key)
  }

  @Test(
    "A method that a test runner calls stands for its class",
    arguments: [
      (
        "shop.CartTest.total\njava.lang.reflect.Method.invoke\norg.junit.runners.model.FrameworkMethod.invoke",
        "shop.CartTest"
      ),
      (
        "-[CartTests testTotal]\n__invoking___\n-[XCTestCase invokeTest]", "CartTests"
      ),
      (
        "shop.Cart.total\nshop.CartTest.total\njava.lang.reflect.Method.invoke\njunit.framework.TestCase.runTest",
        "shop.Cart.total"
      ),
      // Reflection alone is not a test.
      (
        "shop.CartTest.total\njava.lang.reflect.Method.invoke\nshop.Plugins.run",
        "shop.CartTest.total"
      ),
    ])
  func testClass(stack: String, text: String) {
    #expect(ReportBuilder(stack).text == text)
  }

  @Test("A function that its class or file calls matches a report that shows only the caller")
  func inlinedCallee() {
    let full = ReportBuilder("shop::Cart::rebate(int)\nshop::Cart::total()\nmain").signature
    let short = ReportBuilder("shop::Cart::total()\nmain").signature
    #expect(full.text == "shop::Cart::rebate" && short.text == "shop::Cart::total")
    #expect(full.alternativeKeys == [short.key] && short.alternativeKeys.isEmpty)
    #expect(Self.meet(full, short))
    // Another class, and a build with recorded inlined calls.
    #expect(
      ReportBuilder("shop::Cart::rebate()\nshop::Desk::run()\nmain").signature.alternativeKeys
        .isEmpty)
    #expect(
      ReportBuilder(
        "shop::Cart::rebate()\nshop::Cart::total()\n~shop::Desk::loop()\nshop::Desk::run()\nmain"
      )
      .signature.alternativeKeys.isEmpty)
  }

  @Test(
    "Functions of C count by their source file, those of other languages never",
    arguments: [
      ("src/where.c", "src/where.c", true), ("src/where.c", "src/select.c", false),
      ("Cart.java", "Cart.java", false), ("cart.swift", "cart.swift", false),
    ])
  func inlinedByFile(file: String, other: String, meets: Bool) {
    let full = ReportBuilder("rebate\ntotal\nmain").with {
      $0.threads[0].frames[0].file = file
      $0.threads[0].frames[1].file = other
    }.signature
    let short = ReportBuilder("total\nmain").signature
    #expect(Self.meet(full, short) == meets)
  }

  @Test("Two functions that one calls leave the caller alone")
  func twoCallees() {
    let rebate = ReportBuilder("shop::Cart::rebate()\nshop::Cart::total()\nmain").signature
    let share = ReportBuilder("shop::Cart::share()\nshop::Cart::total()\nmain").signature
    let total = ReportBuilder("shop::Cart::total()\nmain").signature
    var readings: [String: Set<String>] = [:]
    for signature in [rebate, share, total] {
      readings[signature.key] = Set(signature.alternativeKeys)
    }
    #expect(Set(KeyPartition.roots(of: readings).values).count == 3)
  }

  @Test("A platform function meets its library without a name")
  func unnamedLibrary() {
    let named = ReportBuilder("g_source_unref @ \(Self.glib)\nshop::close()\nmain").signature
    let unnamed = ReportBuilder("@ \(Self.glib) +0x10\nshop::close()\nmain").signature
    #expect(named.text == "g_source_unref | shop::close")
    #expect(unnamed.text == "[libglib-2.0.so] | shop::close")
    #expect(Self.meet(named, unnamed))
    // Alone it would be any crash in that library.
    #expect(ReportBuilder("g_source_unref @ \(Self.glib)\nmain").signature.alternativeKeys.isEmpty)
  }

  @Test(
    "Locks and the insides of memory routines show only how the process died",
    arguments: [
      "pthread_mutex_lock", "__pthread_mutex_lock", "_wordcopy_fwd_aligned",
      "pthread_rwlock_wrlock",
      "os_unfair_lock_lock", "RtlEnterCriticalSection",
    ])
  func locks(name: String) {
    #expect(ReportBuilder("\(name)\nshop::close()\nmain").text == "shop::close")
    #expect(ReportBuilder("shop::close()\n\(name)\nshop::run()").text == "shop::close")
  }
}
