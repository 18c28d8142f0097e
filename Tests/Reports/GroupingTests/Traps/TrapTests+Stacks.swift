import CrashModel
import Grouping
import Identifiers
import Testing

/// Traps of recursions, missing names, and frames at the bottom.
extension TrapTests {
  @Test("Trap 21: a stack used up by a mutual recursion, wherever it ends", arguments: versions)
  func mutualRecursion(rules: GroupingRules) {
    let turns = String(repeating: "shop::a()\nshop::b()\n", count: 300)
    let builds = ["", "shop::b()\n", "shop::leaf()\n", "memcpy\nshop::leaf()\nshop::b()\n"].map {
      Build("\($0)\(turns)shop::run()\nmain", rules: rules)
        .with { $0.reason.type = "EXCEPTION_STACK_OVERFLOW" }
    }
    expectSame(builds)
    #expect(builds[0].text == "stack overflow | shop::a > shop::b > shop::a")
  }

  @Test("Trap 22: the depth of a recursion does not matter", arguments: versions)
  func depth(rules: GroupingRules) {
    func stacks(_ turn: String, above: String) -> [String] {
      [5, 450].map {
        "\(above)\n" + String(repeating: "\(turn)\n", count: $0) + "root\nmain"
      }
    }
    expectSame(stacks("a\nb", above: "leaf"), rules)
    expectSame(stacks("a\nb", above: "memcpy"), rules)
    expectSame(stacks("std::f()", above: "std::g()"), rules)
    expectSame(
      stacks("qsort @ /usr/lib/libc.so.6\nbsearch @ /usr/lib/libc.so.6", above: "??"), rules)
    // Deeper than the limit.
    expectSame(
      [
        "leaf\n" + String(repeating: "a\nb\n", count: 5) + "root\nmain",
        "leaf\n" + String(repeating: "a\nb\n", count: 2_500) + "root\nmain",
      ], rules)
  }

  @Test("Trap 23: a stack that was cut within a recursion", arguments: versions)
  func cutRecursion(rules: GroupingRules) {
    let turns = String(repeating: "shop::a()\nshop::b()\n", count: 400)
    let lines = "shop::leaf()\n\(turns)shop::run()\nmain".split(separator: "\n")
    let builds = [lines.count, 512, 255].map { count in
      Build(lines.prefix(count).joined(separator: "\n"), rules: rules)
    }
    expectSame(builds)
    expectSame(builds.map { $0.with { $0.reason.type = "EXCEPTION_STACK_OVERFLOW" } })
  }

  @Test("Trap 29: two crashes in one closed driver", arguments: versions)
  func driver(rules: GroupingRules) {
    let driver = "/usr/lib/libGLcore.so.1"
    expectApart(
      ["@ \(driver) +0x10\nshop::f()\nmain", "@ \(driver) +0x20\nshop::g()\nmain"], rules)
    // The app without symbols, too.
    expectApart(
      [
        "@ \(driver) +0x10\n@ /opt/shop/bin/shop +0x100",
        "@ \(driver) +0x20\n@ /opt/shop/bin/shop +0x200",
      ],
      rules)
  }

  @Test("Trap 30: one crash in two versions of a driver", arguments: versions)
  func driverVersions(rules: GroupingRules) {
    expectSame(
      [
        "@ /usr/lib/x86_64-linux-gnu/libGLX_nvidia.so.470.82 +0x10\nshop::paint()\nmain",
        "@ /usr/lib/x86_64-linux-gnu/libGLX_nvidia.so.535.54 +0x98\nshop::paint()\nmain",
      ], rules)
  }

  @Test("Trap 31: without any name a group stays within a version", arguments: versions)
  func nameless(rules: GroupingRules) {
    let report = Build("??\n??\n??", rules: rules)
    #expect(report.text == "SIGSEGV | no names | [shop] 1.0 (12)")
    expectApart([report, report.with { $0.app.version = "2.0" }])
    #expect(Build(rules: rules).text == "SIGSEGV | no thread | [shop] 1.0 (12)")
    #expect(Build("", rules: rules).text == "SIGSEGV | no frames | [shop] 1.0 (12)")
    #expect(Build(signal: nil, rules: rules).text == "EMPTY no thread | [shop] 1.0 (12)")
    #expect(Build("", signal: nil, rules: rules).text == "EMPTY no frames | [shop] 1.0 (12)")
    #expect(Build("main", rules: rules).text == "SIGSEGV | main")
    #expect(Build("raise\nabort", rules: rules).text == "SIGSEGV | abort")
  }

  @Test("Trap 56: the bottom of a stack does not matter", arguments: versions)
  func bottoms(rules: GroupingRules) {
    expectSame(
      [
        "shop::f()\ntesting::Test::Run()\nmain\n_start", "shop::f()\nstart_thread\nclone",
        "shop::f()\ng_main_loop_run\nmain\n__libc_start_main\n_start",
        "shop::f()\nBaseThreadInitThunk\nRtlUserThreadStart",
        "shop::f()\nQEventLoop::exec(QFlags<QEventLoop::ProcessEventsFlag>)\nQCoreApplication::exec()\nmain",
        "shop::f()\n_dispatch_worker_thread2\n_pthread_wqthread\nstart_wqthread",
      ], rules)
    expectSame(
      [
        "com.acme.Cart.total\njava.lang.Thread.run",
        "com.acme.Cart.total\ncom.acme.CartTest.total\norg.junit.runners.ParentRunner.run\nsun.reflect.NativeMethodAccessorImpl.invoke0",
        "com.acme.Cart.total\norg.apache.tomcat.util.net.SocketProcessorBase.run\njava.lang.Thread.run",
        "com.acme.Cart.total\nandroid.os.Looper.loop\nandroid.app.ActivityThread.main",
      ], rules)
  }

  @Test("Trap 61: hostile reports", arguments: versions)
  func hostile(rules: GroupingRules) {
    let name = String(repeating: "a<", count: 500_000) + "\u{0}\u{202E}\u{1B}[31m\u{FFFD}"
    var report = ReportBuilder("shop::f()").report
    report.threads[0].frames = (0..<1_000_000).map { index in
      Frame(
        address: Address(UInt64(index)), position: .exact,
        function: index % 7 == 0 ? name : "std::g\(index % 13)()")
    }
    report.reason.message = name
    report.reason.type = name
    report.process.name = name
    let signer = Signer(rules: rules)
    let clock = ContinuousClock()
    var signature: Signature?
    let time = clock.measure { signature = signer.signature(of: report, app: name) }
    #expect(time < .seconds(20))
    let again = Signer(rules: rules, remembers: false).signature(of: report, app: name)
    #expect(again == signature)
    #expect(again.text.utf8.count < 4_096)
    for scalar in again.text.unicodeScalars {
      #expect(scalar.value >= 0x20 && scalar.value != 0x202E && scalar.value != 0x7F)
    }
  }
}
