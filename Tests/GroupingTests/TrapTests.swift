import CrashModel
import Grouping
import Testing

/// Cases that split or mix groups in other systems, each with the result to expect.
@Suite("Traps of grouping")
struct TrapTests {
  private typealias Build = ReportBuilder

  static let sameCases: [(String, [String])] = [
    (
      "compilers spell lambdas differently",
      [
        "run::{lambda(int)#1}::operator()(int) const\nmain", "run::$_0::operator()(int)\nmain",
        "run::<lambda_0a1b2c>::operator()\nmain", "run::'lambda'(int)::operator()(int) const\nmain",
      ]
    ),
    (
      "standard libraries have namespaces of their own",
      [
        "std::__1::vector<int>::at(unsigned long)\nshop::f()",
        "std::vector<int>::at(unsigned long)\nshop::f()",
        "std::__cxx11::list<int>::front()\nshop::f()",
        "std::__ndk1::vector<int>::at(unsigned)\nshop::f()",
      ]
    ),
    (
      "optimisers split functions",
      [
        "foo\nmain", "foo.cold\nfoo\nmain", "foo.isra.0\nmain", "foo.part.1\nfoo\nmain",
        "foo [clone .constprop.3]\nmain",
      ]
    ),
    ("template instances", ["f<int>(int)\nmain", "f<std::string>(std::string)\nmain"]),
    (
      "hash and scheme of Rust's names",
      [
        "shop::run::h0123456789abcdef\nmain", "_ZN4shop3run17hfedcba9876543210E\nmain",
        "_RNvCs6GmmlP4bgsG_4shop3run\nmain",
      ]
    ),
    (
      "steps of abort by version",
      [
        "raise\nabort\nshop::f()\nmain", "gsignal\nabort\nshop::f()\nmain",
        "pthread_kill@@GLIBC_2.34\n__GI_raise\n__GI_abort\nshop::f()\nmain",
        "__pthread_kill_implementation\n__pthread_kill_internal\n__GI___pthread_kill\nraise\nabort\nshop::f()\nmain",
        "tgkill\nabort\nshop::f()\nmain",
        "__kernel_vsyscall\n*__GI_raise\n*__GI_abort\nshop::f()\nmain",
        "__pthread_kill @ /usr/lib/system/libsystem_kernel.dylib\npthread_kill\nabort\nshop::f()\nmain",
      ]
    ),
    (
      "steps of free() by version",
      [
        "raise\nabort\n__libc_message\nmalloc_printerr\n_int_free\nfree\nshop::f()",
        "raise\nabort\n__libc_message\nmunmap_chunk\n__GI___libc_free\nshop::f()",
        "abort\n__libc_message_impl\nmalloc_printerr\n_int_free_merge_chunk\n_int_free\nfree\nshop::f()",
      ]
    ),
    (
      "memcpy by processor",
      [
        "__memcpy_avx_unaligned_erms\nshop::f()", "__memcpy_ssse3_back\nshop::f()",
        "__memcpy_aarch64_simd\nshop::f()", "memcpy\nshop::f()", "__interceptor_memcpy\nshop::f()",
      ]
    ),
    (
      "resume functions of one async function",
      [
        "(1) await resume partial function for MyApp.fetch() async -> ()\nMyApp.main()",
        "(2) suspend resume partial function for MyApp.fetch() async -> ()\nMyApp.main()",
      ]
    ),
    (
      "numbers of blocks",
      ["__12-[Cart total]_block_invoke\nmain", "__12-[Cart total]_block_invoke_2\nmain"]
    ),
    (
      "depth of a recursion",
      [
        "leaf\na\nb\na\nb\na\nb\na\nb\na\nb\nroot\nmain",
        "leaf\n" + String(repeating: "a\nb\n", count: 450) + "root\nmain",
      ]
    ),
    (
      "depth of a recursion of glue",
      [
        String(repeating: "std::f()\n", count: 5) + "root\nmain",
        String(repeating: "std::f()\n", count: 900) + "root\nmain",
      ]
    ),
    (
      "numbers of generated Java classes",
      ["com.acme.Cart$1.run", "com.acme.Cart$2.run"]
    ),
    (
      "numbers of Java lambdas and proxies",
      [
        "com.acme.Cart.lambda$total$3", "com.acme.Cart.lambda$total$4",
        "com.sun.proxy.$Proxy4.run\ncom.acme.Cart.lambda$total$1",
        "jdk.internal.reflect.GeneratedMethodAccessor12.invoke\ncom.acme.Cart.lambda$total$1",
      ]
    ),
    (
      "versions of a driver",
      [
        "@ /usr/lib/x86_64-linux-gnu/libGLX_nvidia.so.470.82 +0x10\nshop::paint()\nmain",
        "@ /usr/lib/x86_64-linux-gnu/libGLX_nvidia.so.535.54 +0x98\nshop::paint()\nmain",
      ]
    ),
    ("a jump to null", ["??\nshop::f()\nmain", "shop::f()\nmain"]),
    (
      "crash reporters on top",
      [
        "sentry__on_signal\n<signal handler called>\nshop::f()\nmain",
        "google_breakpad::ExceptionHandler::SignalHandler(int)\n__restore_rt\nshop::f()\nmain",
        "crashpad::CaptureContext\nshop::f()\nmain", "shop::f()\nmain",
      ]
    ),
    (
      "a signal handler in the middle",
      [
        "shop::dump()\nshop::handler(int)\n<signal handler called>\nshop::f()\nmain",
        "shop::handler(int)\n_sigtramp\nshop::f()\nmain",
        "shop::filter()\nKiUserExceptionDispatcher\nshop::f()\nmain", "shop::f()\nmain",
      ]
    ),
    ("a sanitizer's interceptor", ["__asan_memcpy\nshop::f()\nmain", "shop::f()\nmain"]),
    (
      "what the bottom is",
      [
        "shop::f()\ntesting::Test::Run()\nmain\n_start", "shop::f()\nstart_thread\nclone",
        "shop::f()\ng_main_loop_run\nmain\n__libc_start_main\n_start",
        "shop::f()\nBaseThreadInitThunk\nRtlUserThreadStart",
      ]
    ),
    (
      "systems and processors",
      [
        "shop::f()\nmain\nstart", "shop::f()\nmain\n__libc_start_main",
        "shop::f()\n__scrt_common_main_seh\nBaseThreadInitThunk",
      ]
    ),
    (
      "spellings of the C library's locks",
      [
        "__pthread_mutex_lock @ /lib/libc.so.6\nshop::f()",
        "pthread_mutex_lock @ /lib/libpthread.so.0\nshop::f()",
      ]
    ),
  ]

  @Test("Same group", arguments: sameCases)
  func same(case: String, stacks: [String]) {
    let texts = stacks.map { Build($0).text }
    #expect(Set(texts).count == 1, "\(`case`): \(texts)")
  }

  static let otherCases: [(String, [String])] = [
    ("operator< and operator<<", ["operator<(A, A)\nmain", "operator<<(A, A)\nmain"]),
    ("callers of memcpy", ["memcpy\nshop::f()", "memcpy\nshop::g()"]),
    (
      "callers of a fatal GLib message",
      ["g_logv\ng_log\nshop_list_draw\nmain", "g_logv\ng_log\nshop_menu_draw\nmain"]
    ),
    (
      "requests to X11",
      [
        "_XError\n_XReply\nXGetWindowAttributes @ /usr/lib/libX11.so.6\nshop::f()",
        "_XError\n_XReply\nXGetImage @ /usr/lib/libX11.so.6\nshop::f()",
        "_XError\n_XReply\nXGetImage @ /usr/lib/libX11.so.6\nshop::g()",
      ]
    ),
    (
      "callers of a Swift array's index trap",
      [
        "Swift runtime failure: Index out of range\nSwift.Array.subscript.getter : A\nMyApp.f() -> ()",
        "Swift runtime failure: Index out of range\nSwift.Array.subscript.getter : A\nMyApp.g() -> ()",
      ]
    ),
    (
      "callers of a closed driver",
      ["@ /usr/lib/libGLcore.so.1 +0x10\nshop::f()", "@ /usr/lib/libGLcore.so.1 +0x20\nshop::g()"]
    ),
    (
      "victims of one heap corruption",
      (0..<40).map { "malloc_printerr\n_int_free\nfree\nshop::victim\($0)()\nmain" }
    ),
    ("digits in names", ["utf8_decode\nmain", "utf16_decode\nmain"]),
  ]

  @Test("Other groups", arguments: otherCases)
  func other(case: String, stacks: [String]) {
    let texts = stacks.map { Build($0).text }
    #expect(Set(texts).count == stacks.count, "\(`case`): \(texts)")
  }

  @Test("An app's function is the same inlined or not, and with or without inline records")
  func inlining() {
    let plain = Build("shop::leaf()\nshop::caller()\nmain").signature
    let inlined = Build("~shop::leaf()\nshop::caller()\nmain").signature
    let without = Build("shop::caller()\nmain").signature
    #expect(plain.key == inlined.key)
    #expect(inlined.alternativeKeys == [without.key])
    #expect(plain.alternativeKeys.isEmpty)
    let helper = Build("~std::vector<int>::at(unsigned long)\nshop::caller()\nmain").signature
    #expect(helper.key == without.key && helper.alternativeKeys.isEmpty)
  }

  @Test("An uncaught C++ exception is found by the stack on which it was thrown")
  func cxxException() {
    let thrown = Build("__cxa_throw\nshop::f()\nmain", signal: "SIGABRT")
    let terminated = Build(
      "raise\nabort\n__gnu_cxx::__verbose_terminate_handler()\n__cxxabiv1::__terminate(void (*)())\nstd::terminate()\n__cxa_throw\nshop::f()\nmain",
      signal: "SIGABRT")
    #expect(thrown.text == terminated.text)
    let spoken = terminated.with {
      $0.reason.message = "terminate called after throwing an instance of 'shop::Error<int>'"
    }
    #expect(spoken.signature.category == .exception)
    #expect(spoken.text == "shop::Error<T> | shop::f")
  }

  @Test("An NSException is found by the last exception backtrace")
  func objectiveCException() {
    var build = Build("__pthread_kill\nabort\nobjc_terminate\nmain", signal: "SIGABRT")
    build.report.format = .appleIPS
    let frames = build.frames(
      "__exceptionPreprocess\nobjc_exception_throw\n-[__NSArrayM objectAtIndex:] @ /System/Library/CF\n-[Cart total] @ /var/containers/Bundle/Application/X/Shop.app/Shop\nmain"
    )
    build.report.reason.exception = LanguageException(
      type: "NSRangeException",
      message: "*** -[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 4]",
      frames: frames)
    #expect(build.signature.category == .assertion)
    #expect(
      build.text == "assert | NSRangeException | -[__NSArrayM objectAtIndex:] | -[Cart total]")
    build.report.reason.exception?.message = "cart 17 is closed"
    #expect(build.text.hasPrefix("assert | NSRangeException: cart <num> is closed | "))
  }

  @Test("A fatal error is told by its text without parameters")
  func fatalError() {
    func text(_ message: String) -> String {
      Build(
        "closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)\n_assertionFailure(_:_:file:line:flags:)\nMyApp.f() -> ()\nMyApp.main() -> ()",
        signal: "SIGTRAP"
      ).with { $0.reason.message = message }.text
    }
    #expect(
      text("MyApp/Cart.swift:1: Fatal error: id 4711")
        == "assert | cart.swift: id <num> | MyApp.f()")
    #expect(
      text("MyApp/Cart.swift:1: Fatal error: id 4711")
        == text("MyApp/Cart.swift:9: Fatal error: id 4712"))
    #expect(
      text("MyApp/Cart.swift:1: Fatal error: a") != text("MyApp/Cart.swift:1: Fatal error: b"))
  }

  @Test("Assertions: parameters, and another language")
  func assertionText() {
    func text(_ message: String) -> String {
      Build("raise\nabort\n__assert_fail\nshop::f()\nmain", signal: "SIGABRT")
        .with { $0.reason.message = message }.text
    }
    #expect(
      text("cart 0x7f001234 in /home/anna/a.db:12 after 3.2 s")
        == text("cart 0x55aa in /srv/b.db:7 after 14 s"))
    #expect(
      text("app: cart.c:12: f: Assertion `a < b' failed.")
        == text("app: cart.c:13: f: Zusicherung »a < b« nicht erfüllt."))
    #expect(text("Übertragung gescheitert") == text("échec du transfert"))
    #expect(text("Übertragung gescheitert") == "shop::f")
  }

  @Test("Java: class and place of the root cause")
  func java() {
    func report(_ type: String, _ stack: String, inner: [(String, String)] = []) -> Build {
      var build = Build()
      build.report.reason = CrashReason()
      // Each is the cause of the one before it.
      var cause: [LanguageException] = []
      for (type, stack) in inner.reversed() {
        cause = [LanguageException(type: type, frames: build.frames(stack), inner: cause)]
      }
      build.report.reason.exception = LanguageException(
        type: type, message: "m", frames: build.frames(stack), inner: cause)
      return build
    }
    let null = report("java.lang.NullPointerException", "com.acme.Cart.total\ncom.acme.Main.main")
    #expect(null.text == "java.lang.NullPointerException | com.acme.Cart.total")
    #expect(null.text != report("java.lang.IllegalStateException", "com.acme.Cart.total").text)
    let once = report(
      "com.acme.Wrapped", "com.acme.Main.run",
      inner: [("java.io.IOException", "java.io.File.read\ncom.acme.Cart.load")])
    let twice = report(
      "com.acme.Outer", "com.acme.Main.go",
      inner: [
        ("com.acme.Wrapped", "com.acme.Main.run"),
        ("java.io.IOException", "java.io.File.read\ncom.acme.Cart.load"),
      ])
    #expect(once.text == "java.io.IOException | java.io.File.read | com.acme.Cart.load")
    #expect(once.text == twice.text)
    let different = report(
      "com.acme.Wrapped", "com.acme.Main.run", inner: [("com.acme.Closed", "com.acme.Shop.open")])
    #expect(once.text != different.text)
    #expect(
      report(
        "java.lang.StackOverflowError", String(repeating: "com.acme.A.f\ncom.acme.A.g\n", count: 20)
      ).text
        == "stack overflow | com.acme.A.f > com.acme.A.g > com.acme.A.f")
  }

  @Test("Without names a group stays within a version")
  func empty() {
    let report = Build("??\n??\n??")
    #expect(report.text == "SIGSEGV | no names | [shop] 1.0 (12)")
    #expect(report.text != report.with { $0.app.version = "2.0" }.text)
    #expect(Build().text == "SIGSEGV | no thread | [shop] 1.0 (12)")
    #expect(Build("").text == "SIGSEGV | no frames | [shop] 1.0 (12)")
    #expect(Build(signal: nil).text == "EMPTY no thread | [shop] 1.0 (12)")
    #expect(Build("", signal: nil).text == "EMPTY no frames | [shop] 1.0 (12)")
    #expect(Build("main").text == "main")
    #expect(Build("raise\nabort").text == "SIGSEGV | abort")
  }

  @Test("Memory: small requests are one group, large ones go by the place")
  func memory() {
    func text(_ function: String, _ size: Int) -> String {
      Build("\(function)\nmain").with {
        $0.kind = .oom
        $0.tags[.allocationSize] = String(size)
      }.text
    }
    #expect(text("shop::a()", 4096) == "OOM small")
    #expect(text("shop::b()", 262_144) == "OOM small")
    #expect(text("shop::a()", 300 << 20) == "OOM large | shop::a")
    #expect(text("shop::b()", 300 << 20) == "OOM large | shop::b")
    let marker = Build(
      "abort\nstd::alloc::rust_oom\nalloc::alloc::handle_alloc_error\nshop::grow\nmain")
    #expect(marker.text == "OOM | shop::grow")
    let sanitizer = Build("malloc\nshop::grow()\nmain").with {
      $0.format = .sanitizer
      $0.reason.type = "allocation-size-too-big"
      $0.reason.message = "requested allocation size 0xffffffffffffffff (0x800 after adjustments)"
    }
    #expect(sanitizer.text == "OOM large | shop::grow")
  }

  @Test("Watchdog: the main thread")
  func watchdog() {
    let build = Build("shop::idle()\nstart_thread", "read @ /usr/lib/libc.so.6\nshop::load()\nmain")
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

  @Test("Hang: the holder of the lock, the idle main thread")
  func hang() {
    let waiting = Build(
      "java.lang.Object.wait\ncom.acme.Cart.total", "com.acme.Disk.read\njava.lang.Thread.run"
    )
    .with {
      $0.kind = .hang
      $0.tags[.lockHolder] = "1"
    }
    #expect(waiting.text == "hang | java.lang.Object.wait | com.acme.Disk.read")
    let idle = Build(
      "__epoll_pwait @ /apex/libc.so\nandroid::Looper::pollOnce @ /system/lib64/libutils.so\nandroid.os.MessageQueue.next\nandroid.os.Looper.loop\nandroid.app.ActivityThread.main"
    )
    .with { $0.kind = .hang }
    #expect(idle.text == "hang | idle main thread")
    let apple = Build(
      "mach_msg_trap @ /usr/lib/system/libsystem_kernel.dylib\nmach_msg @ /usr/lib/system/libsystem_kernel.dylib\n__CFRunLoopServiceMachPort @ /System/CF\n__CFRunLoopRun\nUIApplicationMain\nmain"
    )
    .with { $0.kind = .hang }
    #expect(apple.text == idle.text)
  }

  @Test("Handled errors: apart from crashes, and by the caller of the helper")
  func handled() {
    let crash = Build("shop::f()\nmain")
    #expect(crash.text != crash.with { $0.kind = .handled }.text)
    let sites = (0..<10).map { site in
      Build("MyApp.Telemetry.report(error:)\nMyApp.Log.logError(_:)\nMyApp.site\(site)()")
        .with { $0.kind = .handled }.text
    }
    let helped = (0..<10).map { site in
      Build("MyApp.Log.logError(_:)\nMyApp.site\(site)()").with { $0.kind = .handled }.text
    }
    #expect(Set(helped).count == 10)
    #expect(sites.allSatisfy { $0.hasPrefix("handled | ") })
  }

  @Test("The signal and the kind of a sanitizer's report are not in the key; leaks and races are")
  func kinds() {
    let stack = "shop::f()\nmain"
    #expect(
      Build(stack, signal: "SIGSEGV").signature.key == Build(stack, signal: "SIGBUS").signature.key)
    func sanitizer(_ name: String, _ type: String) -> Substring {
      Build(stack, signal: nil).with {
        $0.format = .sanitizer
        $0.tags[.sanitizer] = name
        $0.reason.type = type
        $0.reason.message = "\(type) on something"
      }.signature.keyText
    }
    #expect(sanitizer("AddressSanitizer", "heap-use-after-free") == "shop::f")
    #expect(sanitizer("AddressSanitizer", "heap-buffer-overflow") == "shop::f")
    #expect(sanitizer("LeakSanitizer", "detected memory leaks") == "leak | shop::f")
    #expect(sanitizer("ThreadSanitizer", "data race") == "data race | shop::f")
  }

  @Test("Two products never share a key; two versions do")
  func products() {
    let build = Build("shop::f()\nmain")
    let other = ReportBuilder.signer.signature(of: build.report, app: "bank")
    #expect(other.text == build.text && other.key != build.signature.key)
    #expect(build.with { $0.app.version = "2.0" }.signature.key == build.signature.key)
  }

  @Test("Stacks elsewhere in the report are not in the key")
  func otherStacks() {
    let build = Build("shop::f()\nmain")
    let frames = build.report.threads[0].frames
    #expect(
      build.with { $0.otherStacks = [NamedStack(title: "freed by", frames: frames)] }.signature
        == build.signature)
  }
}
