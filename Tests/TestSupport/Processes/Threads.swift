import Glibc

/// Runs `body` on `count` threads and waits for all of them.
public func runThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  var threads: [pthread_t] = []
  for _ in 0..<count {
    let box = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
