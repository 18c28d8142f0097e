import CSandbox
import Glibc
import TestSupport
import Testing

/// Each call that the sandbox must block, made inside it.
@Suite(.serialized) struct SandboxCallsTests {
  enum Outcome: Equatable {
    case done
    case failed(errno: Int32)
    case killed(signal: Int32)
  }

  /// A call with its arguments; `self` and `parent` stand for process ids.
  struct Call: CustomTestStringConvertible {
    let name: String
    let number: Int
    let arguments: [Int]
    let outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ number: Int, _ arguments: [Int], _ outcome: Outcome) {
      self.name = name
      self.number = number
      self.arguments = arguments
      self.outcome = outcome
    }
  }

  private static let own = -1_001
  private static let parent = -1_002
  private static let path = -1_003
  private static let empty = -1_004
  private static let room = -1_005
  private static let killed = Outcome.killed(signal: SIGSYS)
  private static let refused = Outcome.failed(errno: EPERM)
  private static let anonymous = 0x22  // MAP_PRIVATE | MAP_ANONYMOUS

  // Numbers of x86-64; Source: asm/unistd_64.h.
  private static let calls = [
    Call("write to a descriptor", 1, [1, empty, 0], .done),
    Call("fstat", 5, [0, room], .done),
    Call("newfstatat of a descriptor", 262, [0, empty, room, 0x1000], .done),
    Call("newfstatat of a path", 262, [-100, path, room, 0], refused),
    Call("newfstatat of a path with AT_EMPTY_PATH", 262, [-100, path, room, 0x1000], refused),
    Call("statx of a path", 332, [-100, path, 0, 0, room], killed),
    Call("stat", 4, [path, room], killed),
    Call("open", 2, [path, 0], refused),
    Call("openat", 257, [-100, path, 0], refused),
    Call("memory", 9, [0, 4096, 3, anonymous, -1, 0], .done),
    Call("executable memory", 9, [0, 4096, 5, anonymous, -1, 0], killed),
    Call("memory that can be written and executed", 9, [0, 4096, 7, anonymous, -1, 0], killed),
    Call("memory made executable", 10, [room, 4096, 5], killed),
    Call("a signal to itself", 234, [own, own, 0], .done),
    Call("a signal to its parent", 234, [parent, parent, 0], killed),
    Call("a signal to init", 234, [1, 1, 0], killed),
    Call("kill", 62, [parent, 0], killed),
    Call("tkill", 200, [parent, 0], killed),
    Call("a signal with a value", 129, [parent, 0, room], killed),
    Call("a signal by a descriptor", 424, [0, 0, 0, 0], killed),
    Call("a socket", 41, [2, 1, 0], killed),
    Call("a program", 59, [path, 0, 0], killed),
    Call("a thread", 56, [0x10f00, 0, 0, 0, 0], killed),
    Call("a process", 57, [], killed),
    Call("ptrace", 101, [16, parent, 0, 0], killed),
    Call("memory of another process", 310, [parent, room, 1, room, 1, 0], killed),
    Call("unlink", 87, [path], killed),
    Call("rename", 82, [path, path], killed),
    Call("a file in memory", 319, [path, 0], killed),
    Call("io_uring", 425, [1, room], killed),
    Call("a key", 248, [path, path, 0, 0, -1], killed),
    Call("mount", 165, [path, path, path, 0, 0], killed),
    Call("another personality", 135, [0x0400000], killed),
  ]

  @Test(
    "A call does in the sandbox what the list says",
    .enabled(if: Self.isX86, "the calls are those of x86"), arguments: calls)
  func call(_ call: Call) throws {
    let outcome = try Self.outcome { room, path, empty in
      call.arguments.map { argument in
        switch argument {
        case Self.own: Int(getpid())
        case Self.parent: Int(getppid())
        case Self.path: Int(bitPattern: path)
        case Self.empty: Int(bitPattern: empty)
        case Self.room: Int(bitPattern: room)
        default: argument
        }
      }
    } number: {
      call.number
    }
    #expect(outcome == call.outcome)
  }

  private static var isX86: Bool {
    #if arch(x86_64)
      true
    #else
      false
    #endif
  }

  /// Makes a call in a child that has entered the sandbox.
  private static func outcome(
    _ arguments: (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> [Int],
    number: () -> Int
  ) throws -> Outcome {
    // Swift hides fork, and has no variadic calls of C.
    typealias Fork = @convention(c) () -> Int32
    typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let systemCall = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: SystemCall.self)
    let path = try #require(strdup("/etc/passwd"))
    let empty = try #require(strdup(""))
    var room: UnsafeMutableRawPointer?
    posix_memalign(&room, 4096, 8192)
    let memory = try #require(room)
    defer {
      free(path)
      free(empty)
      free(memory)
    }
    let number = number()
    let child = fork()
    if child == 0 {
      var list = arguments(memory, path, empty)
      while list.count < 6 { list.append(0) }
      guard sandbox_enter(0, 10) & SANDBOX_SECCOMP != 0 else { _exit(250) }
      let result = systemCall(number, list[0], list[1], list[2], list[3], list[4], list[5])
      _exit(result == -1 ? errno : 0)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    if signal != 0 { return .killed(signal: signal) }
    let code = status >> 8 & 0xff
    try #require(code != 250, "this kernel has no seccomp")
    return code == 0 ? .done : .failed(errno: code)
  }
}
