import CrashModel
import Grouping
import Identifiers
import Testing

/// Traps of exceptions, messages, memory and time.
extension TrapTests {
  /// A report of an exception, each of `inner` the cause of the one before it.
  private func exception(
    _ type: String, _ stack: String, inner: [(String, String)] = [], _ rules: GroupingRules
  ) -> Build {
    var build = Build(rules: rules)
    build.report.reason = CrashReason()
    var cause: [LanguageException] = []
    for (type, stack) in inner.reversed() {
      cause = [LanguageException(type: type, frames: build.frames(stack), inner: cause)]
    }
    build.report.reason.exception = LanguageException(
      type: type, message: "m", frames: build.frames(stack), inner: cause)
    return build
  }

  @Test("Trap 25: two Java exceptions thrown at one line of a helper", arguments: versions)
  func twoClasses(rules: GroupingRules) {
    let stack = "com.acme.Checks.check\ncom.acme.Cart.total\ncom.acme.Main.main"
    let null = exception("java.lang.NullPointerException", stack, rules)
    #expect(null.text == "java.lang.NullPointerException | com.acme.Checks.check")
    expectApart([null, exception("java.lang.IllegalStateException", stack, rules)])
  }

  @Test("Trap 26: one cause, wrapped once or twice", arguments: versions)
  func wrapped(rules: GroupingRules) {
    let cause = ("java.io.IOException", "java.io.File.read\ncom.acme.Cart.load")
    let once = exception("com.acme.Wrapped", "com.acme.Main.run", inner: [cause], rules)
    let twice = exception(
      "com.acme.Outer", "com.acme.Main.go",
      inner: [("com.acme.Wrapped", "com.acme.Main.run"), cause], rules)
    #expect(once.text == "java.io.IOException | java.io.File.read | com.acme.Cart.load")
    expectSame([once, twice])
  }

  @Test("Trap 27: one wrapper around different causes", arguments: versions)
  func wrapper(rules: GroupingRules) {
    expectApart([
      exception(
        "com.acme.Wrapped", "com.acme.Main.run",
        inner: [("java.io.IOException", "java.io.File.read\ncom.acme.Cart.load")], rules),
      exception(
        "com.acme.Wrapped", "com.acme.Main.run", inner: [("com.acme.Closed", "com.acme.Shop.open")],
        rules),
    ])
  }

  @Test("Trap 28: shortened names are provisional until their mapping comes", arguments: versions)
  func shortened(rules: GroupingRules) {
    var build = exception("java.lang.IllegalStateException", "a.b.c\na.b.d", rules)
    build.report.images = [
      LoadedImage(name: "shop.jar", architecture: .jvm, debugID: DebugID(uuid: 1...16))
    ]
    build.report.reason.exception?.frames[0].image = 0
    let signature = build.signature
    #expect(signature.isProvisional && signature.waitsFor == [DebugID(uuid: 1...16)])
    let mapped = build.with {
      $0.images[0].symbols = SymbolStatus(.found)
      $0.reason.exception?.frames[0].function = "com.acme.Cart.total"
    }
    #expect(!mapped.signature.isProvisional)
    expectSame([
      mapped, exception("java.lang.IllegalStateException", "com.acme.Cart.total", rules),
    ])
  }

  @Test(
    "Trap 40: small requests for memory are one group, large ones go by place", arguments: versions)
  func memory(rules: GroupingRules) {
    func build(_ function: String, _ size: Int) -> Build {
      Build("\(function)\nmain", rules: rules).with {
        $0.kind = .oom
        $0.tags[.allocationSize] = String(size)
      }
    }
    expectSame((0..<500).map { build("shop::f\($0)()", 4096) })
    expectSame([build("shop::a()", 4096), build("shop::b()", 262_144)])
    expectApart([build("shop::a()", 300 << 20), build("shop::b()", 300 << 20)])
    #expect(build("shop::a()", 4096).text == "OOM small")
    #expect(build("shop::a()", 300 << 20).text == "OOM large | shop::a")
    let marker = Build(
      "abort\nstd::alloc::rust_oom\nalloc::alloc::handle_alloc_error\nshop::grow\nmain",
      rules: rules)
    #expect(marker.text == "OOM | shop::grow")
    let sanitizer = Build("malloc\nshop::grow()\nmain", rules: rules).with {
      $0.format = .sanitizer
      $0.reason.type = "allocation-size-too-big"
      $0.reason.message = "requested allocation size 0xffffffffffffffff (0x800 after adjustments)"
    }
    #expect(sanitizer.text == "OOM large | shop::grow")
  }

  @Test("Trap 41: ended for being late, by the main thread", arguments: versions)
  func watchdog(rules: GroupingRules) {
    let build = Build(
      "mach_msg2_trap @ /usr/lib/system/libsystem_kernel.dylib\nshop::idle()\nstart_thread",
      "read @ /usr/lib/libc.so.6\nshop::load()\nmain", rules: rules
    )
    .with {
      $0.threads[1].name = "com.apple.main-thread"
      $0.tags[.terminationNamespace] = "FRONTBOARD"
      $0.tags[.terminationCode] = "0x8badf00d"
    }
    #expect(build.text == "watchdog 0x8badf00d | read | shop::load")
    #expect(build.signature.category == .watchdog)
    let named = build.with {
      $0.tags[.terminationReason] = "scene-create watchdog transgression: app exhausted real time"
    }
    #expect(named.text == "watchdog scene-create | read | shop::load")
  }

  @Test("Trap 42: the main thread waits for a lock that another thread holds", arguments: versions)
  func lockHolder(rules: GroupingRules) {
    let waiting = Build(
      "java.lang.Object.wait\ncom.acme.Cart.total", "com.acme.Disk.read\njava.lang.Thread.run",
      rules: rules
    )
    .with {
      $0.kind = .hang
      $0.tags[.lockHolder] = "1"
    }
    #expect(waiting.text == "hang | java.lang.Object.wait | com.acme.Disk.read")
    #expect(waiting.signature.category == .hang)
  }

  @Test("Trap 43: hangs whose main thread only waits for events", arguments: versions)
  func idle(rules: GroupingRules) {
    let stacks = [
      "__epoll_pwait @ /apex/libc.so\nandroid::Looper::pollOnce @ /system/lib64/libutils.so\nandroid.os.MessageQueue.next\nandroid.os.Looper.loop\nandroid.app.ActivityThread.main",
      "android.os.MessageQueue.nativePollOnce\nandroid.os.MessageQueue.next\nandroid.os.Looper.loop\nandroid.app.ActivityThread.main",
      "mach_msg_trap @ /usr/lib/system/libsystem_kernel.dylib\nmach_msg @ /usr/lib/system/libsystem_kernel.dylib\n__CFRunLoopServiceMachPort @ /System/CF\n__CFRunLoopRun\nUIApplicationMain\nmain",
    ]
    let builds = Self.builds(stacks, rules).map { $0.with { $0.kind = .hang } }
    expectSame(builds)
    #expect(builds[0].text == "hang | idle main thread")
    expectApart([
      builds[0],
      Build("com.acme.Cart.total\nandroid.os.Looper.loop", rules: rules).with { $0.kind = .hang },
    ])
  }

  @Test("Trap 44: a handled error and a crash in one function", arguments: versions)
  func handledAndCrashed(rules: GroupingRules) {
    let crash = Build("shop::f()\nmain", rules: rules)
    expectApart([crash, crash.with { $0.kind = .handled }])
    #expect(crash.with { $0.kind = .handled }.text == "handled | shop::f")
  }

  @Test("Trap 45: errors reported through one helper from ten places", arguments: versions)
  func helper(rules: GroupingRules) {
    for helpers in [
      "MyApp.Log.logError(_:)", "MyApp.Telemetry.reportError(_:)\nMyApp.Log.logError(_:)",
    ] {
      let builds = (0..<10).map { site in
        Build("\(helpers)\nMyApp.site\(site)()", rules: rules).with { $0.kind = .handled }
      }
      expectApart(builds)
      #expect(builds[0].text == "handled | MyApp.site0()")
    }
  }

  private func asserting(_ message: String, _ rules: GroupingRules) -> Build {
    Build("raise\nabort\n__assert_fail\nshop::f()\nmain", signal: "SIGABRT", rules: rules)
      .with { $0.reason.message = message }
  }

  @Test("Trap 46: pointers, paths, lines and durations in an assertion's text", arguments: versions)
  func parameters(rules: GroupingRules) {
    expectSame([
      asserting("cart 0x7f001234 in /home/anna/a.db:12 after 3.2 s", rules),
      asserting("cart 0x55aa in /srv/b.db:7 after 14 s", rules),
    ])
    expectSame([
      asserting("app: cart.c:12: f: Assertion `a < b' failed.", rules),
      asserting("app: /src/cart.c:931: f: Assertion `a < b' failed.", rules),
    ])
  }

  @Test("Trap 47: an assertion's text in another language", arguments: versions)
  func languages(rules: GroupingRules) {
    expectSame([
      asserting("app: cart.c:12: f: Assertion `a < b' failed.", rules),
      asserting("app: cart.c:13: f: Zusicherung »a < b« nicht erfüllt.", rules),
    ])
    expectSame([
      asserting("Übertragung gescheitert", rules), asserting("échec du transfert", rules),
      asserting("передача не удалась", rules),
    ])
    #expect(asserting("Übertragung gescheitert", rules).text == "shop::f")
  }

  @Test("Trap 57: two products with one library, and two versions of one", arguments: versions)
  func products(rules: GroupingRules) {
    let build = Build("shop::f()\nmain", rules: rules)
    let other = Signer(rules: rules).signature(of: build.report, app: "bank")
    #expect(other.text == build.text && other.key != build.signature.key)
    expectSame([build, build.with { $0.app.version = "2.0" }])
  }
}
