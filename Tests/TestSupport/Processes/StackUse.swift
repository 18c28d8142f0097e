import Glibc

/// How much stack a call needs.
public enum StackUse {
  /// The most that reading one input may take, in bytes, whatever the input: a quarter of a worker's
  /// stack, so that its callers have room.
  public static let most = 2 << 20

  /// The memory that is offered, in bytes: enough to measure what takes too much.
  private static let offered = 32 << 20

  private final class Call {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own and returns how many bytes of the thread's stack it touched,
  /// in whole pages, or nil where the system gives no memory or thread.
  public static func measure(_ body: @escaping () -> Void) -> Int? {
    guard
      let stack = mmap(
        nil, offered, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      stack != MAP_FAILED
    else { return nil }
    defer { munmap(stack, offered) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstack(&attributes, stack, offered) == 0 else { return nil }
    let call = Unmanaged.passRetained(Call(body))
    defer { call.release() }
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().body() }
        return nil
      }, call.toOpaque())
    guard status == 0 else { return nil }
    pthread_join(thread, nil)
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    var isResident = [UInt8](repeating: 0, count: offered / pageSize)
    guard mincore(stack, offered, &isResident) == 0 else { return nil }
    let lowest = isResident.firstIndex { $0 & 1 != 0 } ?? isResident.count
    return (isResident.count - lowest) * pageSize
  }
}
