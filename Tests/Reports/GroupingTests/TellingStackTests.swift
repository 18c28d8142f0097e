import CrashModel
import Grouping
import Testing

/// The stack and message, of several, that explain a crash.
@Suite("Several stacks and messages")
struct TellingStackTests {
  private func build(_ stacks: String..., signal: String? = "SIGSEGV") -> ReportBuilder {
    var build = ReportBuilder(stacks[0], signal: signal)
    for (index, stack) in stacks.enumerated().dropFirst() {
      build.report.threads.append(CrashThread(index: index, frames: build.frames(stack)))
    }
    return build
  }

  @Test("The first of two panics is chosen")
  func twoPanics() {
    var build = build("main", signal: "SIGABRT")
    build.report = CrashReport(format: ReportFormat("rust-panic"))
    var first = LanguageException(type: "panic", message: "no price")
    first.frames = build.frames("shop::charge")
    var second = LanguageException(type: "panic", message: "desk is still open")
    second.frames = build.frames("<shop::Desk as core::ops::drop::Drop>::drop\nshop::charge")
    second.inner = [first]
    build.report.reason.exception = second
    #expect(build.text == "panic: no price | shop::charge")
  }

  @Test("A process suspended with a lock is explained by the thread that uses a database")
  func fileLock() {
    let idle = "mach_msg_trap\nmach_msg\n__CFRunLoopServiceMachPort\n__CFRunLoopRun\nmain"
    let locked = build(
      idle,
      "fsync @ /usr/lib/libc.so.6\nsqlite3_step @ /usr/lib/libsqlite3.so.0\nshop::charge\n_pthread_start",
      signal: "SIGKILL"
    )
    .with { $0.tags[.terminationCode] = "0xdead10cc" }
    #expect(locked.text == "watchdog 0xdead10cc | fsync | shop::charge")
    let alone = build(idle, "mach_msg_trap\nfetch", signal: "SIGKILL")
      .with { $0.tags[.terminationCode] = "0xdead10cc" }
    #expect(alone.text == "watchdog 0xdead10cc | file lock held while suspended")
  }

  @Test("Callers of the program's first function are ignored")
  func belowEntry() {
    let build = build("main\n__scrt_common_main_seh\n@ C:\\Windows\\kernel32.dll +0x62c4")
    #expect(build.text == "SIGSEGV | main")
  }

  @Test("Go reports a stack overflow in a sanitizer's report, too")
  func goOverflow() {
    var build = build("main", signal: nil)
    build.report = CrashReport(format: .sanitizer)
    let message = "stack overflow: goroutine stack exceeds 1000000000-byte limit"
    var exception = LanguageException(type: "fatal error", message: message)
    exception.frames = build.frames(String(repeating: "tern.parse\n", count: 4) + "main.main")
    build.report.reason.exception = exception
    #expect(build.text == "stack overflow | tern.parse > tern.parse")
  }

  @Test(
    "A module of no known origin counts by its location, a platform's and one with a path do not")
  func unknownOrigin() {
    var dart = build("@ libapp.so +0x697fbf\n@ libapp.so +0x82711f", signal: nil)
    for index in dart.report.images.indices {
      dart.report.images[index].path = nil
      dart.report.images[index].debugID = nil
    }
    #expect(dart.text == "[libapp.so]+0x697fbf" && dart.signature.isProvisional)
    let other = dart.with { $0.threads[0].frames.removeFirst() }
    #expect(other.signature.key != dart.signature.key)
    let driver = build("@ /usr/lib/libGL.so.1 +0x10\n@ /usr/lib/libEGL.so.1 +0x10")
    #expect(driver.signature.keyText == "[libGL.so] | [libEGL.so]")
    let memory = dart.with { $0.kind = .oom }
    #expect(memory.text == "OOM | [libapp.so]")
  }

  @Test("A kernel's line about a program's fault is not a message of the program")
  func kernelLine() {
    var build = build("@ tern +0x113d")
    let images = build.report.images
    let threads = build.report.threads
    build.report = CrashReport(format: ReportFormat("linux-fault"))
    build.report.threads = threads
    build.report.images = images
    build.report.images[0].path = nil
    build.report.images[0].debugID = nil
    build.report.crashedThread = 0
    build.report.reason.signal = "SIGSEGV"
    build.report.reason.message =
      "tern-desk[2217]: segfault at 18 ip 0000556b2a4b713d error 6 in tern[113d,1000]"
    #expect(build.text == "[tern]+0x113d")
  }
}
