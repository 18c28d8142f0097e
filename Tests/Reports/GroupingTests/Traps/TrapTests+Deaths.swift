import CrashModel
import Grouping
import Identifiers
import Testing

/// Traps of frames on top of a stack when a process dies.
extension TrapTests {
  @Test("Trap 9: steps of abort by version of the C library", arguments: versions)
  func aborts(rules: GroupingRules) {
    expectSame(
      [
        "raise\nabort\nshop::f()\nmain", "gsignal\nabort\nshop::f()\nmain",
        "pthread_kill@@GLIBC_2.34\n__GI_raise\n__GI_abort\nshop::f()\nmain",
        "__pthread_kill_implementation\n__pthread_kill_internal\n__GI___pthread_kill\nraise\nabort\nshop::f()\nmain",
        "tgkill\nabort\nshop::f()\nmain",
        "__kernel_vsyscall\n*__GI_raise\n*__GI_abort\nshop::f()\nmain",
        "__pthread_kill @ /usr/lib/system/libsystem_kernel.dylib\npthread_kill\nabort\nshop::f()\nmain",
      ], rules)
  }

  @Test(
    "Trap 10: an invalid pointer given to free(), by version of the C library", arguments: versions)
  func frees(rules: GroupingRules) {
    expectSame(
      [
        "raise\nabort\n__libc_message\nmalloc_printerr\n_int_free\nfree\nshop::f()",
        "raise\nabort\n__libc_message\nmunmap_chunk\n__GI___libc_free\nshop::f()",
        "abort\n__libc_message_impl\nmalloc_printerr\n_int_free_merge_chunk\n_int_free\nfree\nshop::f()",
      ], rules)
  }

  @Test("Trap 11: memcpy by processor", arguments: versions)
  func copies(rules: GroupingRules) {
    expectSame(
      [
        "__memcpy_avx_unaligned_erms\nshop::f()", "__memcpy_ssse3_back\nshop::f()",
        "__memcpy_aarch64_simd\nshop::f()", "memcpy\nshop::f()", "__interceptor_memcpy\nshop::f()",
      ], rules)
  }

  @Test("Trap 12: two callers of memcpy", arguments: versions)
  func callersOfMemcpy(rules: GroupingRules) {
    expectApart(["memcpy\nshop::f()", "memcpy\nshop::g()"], rules)
  }

  @Test("Trap 13: GLib's fatal warning from two widgets", arguments: versions)
  func fatalWarnings(rules: GroupingRules) {
    expectApart(
      ["g_logv\ng_log\nshop_list_draw\nmain", "g_logv\ng_log\nshop_menu_draw\nmain"], rules)
    let steps = ["g_logv\ng_log", "_g_log_abort\ng_log_default_handler\ng_logv\ng_log", "g_log"]
    expectSame(steps.map { "\($0)\nshop_list_draw\nmain" }, rules)
  }

  @Test("Trap 14: X11's errors under unrelated requests", arguments: versions)
  func requests(rules: GroupingRules) {
    let library = "/usr/lib/libX11.so.6"
    expectApart(
      [
        "_XError\n_XReply\nXGetWindowAttributes @ \(library)\nshop::f()\nmain",
        "_XError\n_XReply\nXGetImage @ \(library)\nshop::f()\nmain",
        "_XError\n_XReply\nXGetImage @ \(library)\nshop::g()\nmain",
      ], rules)
    // The handlers in between differ by toolkit.
    expectSame(
      [
        "exit\n_XDefaultError\n_XError\nhandle_response\n_XReply\nXGetImage @ \(library)\nshop::f()\nmain",
        "raise\nabort\ng_logv\ng_log\n_XError\nhandle_response\n_XReply\nXGetImage @ \(library)\nshop::f()\nmain",
      ], rules)
  }

  @Test(
    "Trap 15: an uncaught C++ exception, with the stack on which it was thrown", arguments: versions
  )
  func cxxExceptions(rules: GroupingRules) {
    let top =
      "raise\nabort\n__gnu_cxx::__verbose_terminate_handler()\n__cxxabiv1::__terminate(void (*)())\nstd::terminate()"
    let thrown = Build("__cxa_throw\nshop::f()\nmain", signal: "SIGABRT", rules: rules)
    let terminated = Build("\(top)\n__cxa_throw\nshop::f()\nmain", signal: "SIGABRT", rules: rules)
    expectSame([thrown, terminated])
    let spoken = terminated.with {
      $0.reason.message = "terminate called after throwing an instance of 'shop::Error<int>'"
    }
    #expect(spoken.signature.category == .exception)
    #expect(spoken.text == "shop::Error<T> | shop::f")
    // Without it, only the location where the exception left is known.
    let unwound = Build(
      "\(top)\nexecute_native_thread_routine\nstart_thread", signal: "SIGABRT", rules: rules)
    expectApart([unwound, thrown])
  }

  @Test(
    "Trap 16: an NSException, whose stack is not that of the crashed thread", arguments: versions)
  func objectiveCExceptions(rules: GroupingRules) {
    var build = Build(
      "__pthread_kill\nabort\nobjc_terminate\nmain", signal: "SIGABRT", rules: rules)
    build.report.format = .appleIPS
    let frames = build.frames(
      "__exceptionPreprocess\nobjc_exception_throw\n-[__NSArrayM objectAtIndex:] @ /System/Library/CF\n-[Cart total] @ /var/containers/Bundle/Application/X/Shop.app/Shop\nmain"
    )
    build.report.reason.exception = LanguageException(
      type: "NSRangeException",
      message: "*** -[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 4]",
      frames: frames)
    #expect(build.signature.category == .assertion)
    // The private class of an array shows how it was made.
    #expect(build.text == "assert | NSRangeException | -[NSArray objectAtIndex:] | -[Cart total]")
    build.report.reason.exception?.message = "cart 17 is closed"
    #expect(build.text.hasPrefix("assert | NSRangeException: cart <num> is closed | "))
  }

  @Test(
    "Trap 17: a fatal error with an id in it, and two texts in one function", arguments: versions)
  func fatalErrors(rules: GroupingRules) {
    func build(_ message: String) -> Build {
      Build(
        "closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)\n_assertionFailure(_:_:file:line:flags:)\nMyApp.f() -> ()\nMyApp.main() -> ()",
        signal: "SIGTRAP", rules: rules
      ).with { $0.reason.message = message }
    }
    let first = build("MyApp/Cart.swift:1: Fatal error: id 4711")
    #expect(first.text == "assert | cart.swift: id <num> | MyApp.f()")
    expectSame([first, build("MyApp/Cart.swift:9: Fatal error: id 4712")])
    expectApart([
      build("MyApp/Cart.swift:1: Fatal error: a"), build("MyApp/Cart.swift:1: Fatal error: b"),
    ])
  }

  @Test("Trap 18: the index trap of a Swift array from two callers", arguments: versions)
  func indexTraps(rules: GroupingRules) {
    expectApart(
      [
        "Swift runtime failure: Index out of range\nSwift.Array.subscript.getter : A\nMyApp.f() -> ()",
        "Swift runtime failure: Index out of range\nSwift.Array.subscript.getter : A\nMyApp.g() -> ()",
      ], rules)
  }

  @Test("Trap 32: a jump to null is grouped by the caller", arguments: versions)
  func jumpToNull(rules: GroupingRules) {
    var jump = Build("??\nshop::f()\nmain", rules: rules)
    jump.report.threads[0].frames[0].address = Address(0)
    jump.report.reason.address = Address(0)
    expectSame([jump, Build("shop::f()\nmain", rules: rules)])
    expectApart([jump, Build("??\nshop::g()\nmain", rules: rules)])
    #expect(jump.text == "shop::f")
  }

  @Test("Trap 52: crash reporters on top", arguments: versions)
  func crashReporters(rules: GroupingRules) {
    let plain = "shop::f()\nmain"
    let tops = [
      "sentry__on_signal\n<signal handler called>", "sentry_capture_event",
      "google_breakpad::ExceptionHandler::GenerateDump(google_breakpad::ExceptionHandler::CrashContext*)\ngoogle_breakpad::ExceptionHandler::SignalHandler(int)\n__restore_rt",
      "crashpad::CaptureContext", "crashpad::SignalHandler::HandleCrash(int)\n_sigtramp",
      "kscm_handleException\nhandleSignal\n_sigtramp", "ksmc_suspendEnvironment",
      "plcrash_signal_handler\n_sigtramp",
      "FIRCLSSignalHandler\n_sigtramp", "bsg_handle_signal\n_sigtramp",
    ]
    expectSame([plain] + tops.map { "\($0)\n\(plain)" }, rules)
    #expect(Build("\(tops[0])\n\(plain)", rules: rules).text == "shop::f")
  }

  @Test("Trap 53: a signal handler in the middle", arguments: versions)
  func signalHandlers(rules: GroupingRules) {
    expectSame(
      [
        "shop::dump()\nshop::handler(int)\n<signal handler called>\nshop::f()\nmain",
        "shop::handler(int)\n_sigtramp\nshop::f()\nmain",
        "shop::filter()\nKiUserExceptionDispatcher\nshop::f()\nmain", "shop::f()\nmain",
      ], rules)
  }

  @Test("Trap 55: a sanitizer's interceptor, and its other stacks", arguments: versions)
  func sanitizers(rules: GroupingRules) {
    let plain = Build("shop::f()\nmain", rules: rules)
    var report = Build("__asan_memcpy\nshop::f()\nmain", signal: nil, rules: rules)
    report.report.format = .sanitizer
    report.report.reason.type = "heap-use-after-free"
    let freed = report.frames("__interceptor_free\nshop::close()\nmain")
    let allocated = report.frames("malloc\nshop::open()\nmain")
    expectSame([
      plain, report,
      report.with {
        $0.otherStacks = [
          NamedStack(title: "freed by", frames: freed),
          NamedStack(title: "previously allocated by", frames: allocated),
        ]
      },
    ])
  }

  @Test("Trap 54: a group for each victim of one writer", arguments: versions)
  func victims(rules: GroupingRules) {
    expectApart(
      (0..<40).map { "malloc_printerr\n_int_free\nfree\nshop::victim\($0)()\nmain" }, rules)
  }

  @Test("Trap 50: one function on three systems", arguments: versions)
  func systems(rules: GroupingRules) {
    let linux = Build("shop::f()\nmain\n__libc_start_main\n_start", signal: "SIGSEGV", rules: rules)
    let apple = Build("shop::f()\nmain\nstart", signal: nil, rules: rules).with {
      $0.reason.type = "EXC_BAD_ACCESS"
      $0.reason.code = "KERN_INVALID_ADDRESS at 0x0000000000000000"
      $0.reason.address = Address(0)
    }
    let both = apple.with { $0.reason.signal = "SIGSEGV" }
    let windows = Build(
      "shop::f()\nmain\n__scrt_common_main_seh\nBaseThreadInitThunk\nRtlUserThreadStart",
      signal: nil, rules: rules
    ).with {
      $0.reason.type = "EXCEPTION_ACCESS_VIOLATION"
      $0.reason.code = "0xc0000005"
    }
    let number = windows.with { $0.reason.type = "0xC0000005" }
    expectSame([linux, apple, both, windows, number])
  }
}
