import CrashModel
import Grouping
import Testing

@Suite("Frames of runtimes")
struct RuntimeFrameTests {
  private typealias Build = ReportBuilder

  @Test("An assertion with a message is grouped by the app's first function alone")
  func assertionFrames() {
    let message = "TernDesk/Store.swift:16: Fatal error: cannot open the store"
    func text(_ stack: String) -> String {
      Build(stack, signal: "SIGILL").with { $0.reason.message = message }.text
    }
    let plain = text("shop::refuse()\nmain")
    #expect(plain == "assert | store.swift: cannot open the store | shop::refuse")
    #expect(text("@ /usr/lib/swift/linux/libswiftCore.so +0x10\nshop::refuse()\nmain") == plain)
    #expect(
      text("@ /usr/lib/libfoo.so +0x10\nfoo_check @ /usr/lib/libfoo.so\nshop::refuse()\nmain")
        == plain)
    // Without a function of the app, all frames stay.
    #expect(
      text("@ /usr/lib/libfoo.so +0x10\nfoo_check @ /usr/lib/libfoo.so\nmain")
        == "assert | store.swift: cannot open the store | [libfoo.so] | foo_check")
    let missing = text("@ /usr/lib/libfoo.so +0x10\n@ /opt/shop/bin/shop +0x20\nmain")
    #expect(missing.contains("cannot open the store | [shop "))
    var raised = Build("__pthread_kill\nabort\nmain", signal: "SIGABRT")
    raised.report.format = .appleCrash
    raised.report.reason.exception = LanguageException(
      type: "NSRangeException", message: "the basket is full",
      frames: raised.frames(
        "@ /System/Library/Frameworks/CoreFoundation.framework/CoreFoundation +0x1\n"
          + "@ /usr/lib/libobjc.A.dylib +0x2\nshop::raise()\nmain"))
    #expect(raised.text == "assert | NSRangeException: the basket is full | shop::raise")
  }

  static let libraries = [
    "/usr/lib/x86_64-linux-gnu/libasan.so.8.0.0", "/usr/lib/libtsan.so.2", "/usr/lib/libubsan.so.1",
    "/usr/lib/liblsan.so.0", "/usr/lib/libhwasan.so.0", "/usr/lib/libmsan.so",
    "/opt/llvm/lib/libclang_rt.asan-x86_64.so",
    "/Applications/X.app/libclang_rt.tsan_osx_dynamic.dylib",
    "/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libc-2.31.so",
    "/lib/x86_64-linux-gnu/libpthread-2.31.so", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
    "/usr/lib/system/libsystem_kernel.dylib", "/usr/lib/system/libdyld.dylib",
    "/usr/lib/libobjc.A.dylib", "/usr/lib/libc++abi.dylib", "/usr/lib/swift/linux/libswiftCore.so",
    "C:\\Windows\\System32\\ntdll.dll", "C:\\Windows\\System32\\KERNELBASE.dll",
    "/apex/com.android.runtime/lib64/bionic/libc.so", "[vdso]",
  ]

  @Test("Runtimes without symbols show only how the process died", arguments: libraries)
  func runtimes(path: String) {
    let build = Build("@ \(path) +0x10\n@ \(path) +0x20\nshop::invariant()\nmain")
    #expect(build.text == "shop::invariant")
    #expect(build.signature.steps.contains { $0.rule.hasPrefix("runtimes.rules:") })
    // If nothing else is known, they are all there is.
    let alone = Build("@ \(path) +0x10\n@ \(path) +0x20")
    #expect(alone.text.hasPrefix("SIGSEGV | [") && alone.text.hasSuffix("]"))
    #expect(Build("@ \(path) +0x10\n@ /usr/lib/libfoo.so +0x20").text == "SIGSEGV | [libfoo.so]")
  }

  @Test("A crash in the app's first function is named after it, whatever it called")
  func entry() {
    let libc = "@ /lib/x86_64-linux-gnu/libc.so.6 +0x10"
    for (stack, text) in [
      ("\(libc)\nmain\n\(libc)", "SIGSEGV | main"),
      ("abort\nmain\n__libc_start_main", "SIGSEGV | main"),
      ("\(libc)\nWinMain", "SIGSEGV | WinMain"),
      ("\(libc)\nLLVMFuzzerTestOneInput\nmain", "SIGSEGV | LLVMFuzzerTestOneInput"),
      (
        "\(libc)\nstd::vector<int>::_M_range_check(unsigned long)\nstd::vector<int>::at(unsigned long)\nmain",
        "std::vector<T>::at | main"
      ),
      ("\(libc)\nstart_thread\nclone", "SIGSEGV | [libc.so]"),
      ("\(libc)\nshop::owed()\nmain", "shop::owed"),
    ] {
      #expect(Build(stack).text == text, "\(stack)")
    }
  }
}
