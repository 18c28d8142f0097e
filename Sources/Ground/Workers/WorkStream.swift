internal import Dispatch
internal import Synchronization

/// Work that arrives one piece at a time and is done on several threads. Results come back in the
/// order of arrival, with a bounded number of pieces in memory.
///
/// The thread that owns the stream submits the work and takes the results; no other thread may.
public final class WorkStream<Input: Sendable, Output: Sendable> {
  private let state: StreamState<Input, Output>
  private let threads: [WorkerThread]
  private let ahead: Int
  private let capacity: Int
  private let consume: (Output) -> Void
  private var brought = 0
  private var taken = 0
  /// The weights of the pieces in flight, by number, and their sum.
  private var weights: [Int: Int] = [:]
  private var load = 0

  /// - Parameters:
  ///   - width: How many threads work.
  ///   - ahead: How many pieces may be in flight; submitting one more waits for the oldest.
  ///   - capacity: The most weight in flight; a heavier piece is in flight alone.
  ///   - work: Processes a piece on one of the threads.
  ///   - consume: Takes the results in the order of arrival, on the owner's thread.
  public init(
    width: Int, ahead: Int, capacity: Int = .max, work: @escaping @Sendable (Input) -> Output,
    consume: @escaping (Output) -> Void
  ) {
    let state = StreamState<Input, Output>()
    self.state = state
    self.ahead = max(ahead, width)
    self.capacity = capacity
    self.consume = consume
    threads = (0..<max(width, 1)).map { _ in
      WorkerThread {
        while let (index, input) = state.next() { state.finish(index, work(input)) }
      }
    }
  }

  /// Submits the next piece, and consumes the results that are ready.
  ///
  /// - Parameter weight: Its share of the capacity.
  public func bring(_ input: Input, weight: Int = 0) {
    while brought > taken && weight > capacity - load { takeNext() }
    weights[brought] = weight
    load += weight
    state.add(brought, input)
    brought += 1
    while brought - taken >= ahead { takeNext() }
    while let output = state.finished(taken) { deliver(output) }
  }

  /// Waits for all submitted pieces, and consumes their results.
  public func drain() {
    while taken < brought { takeNext() }
  }

  /// Waits for all submitted pieces and ends the threads. Must be called once.
  public func finish() {
    drain()
    state.close(width: threads.count)
    for thread in threads { thread.join() }
  }

  private func takeNext() {
    while true {
      if let output = state.finished(taken) { return deliver(output) }
      state.somethingFinished.wait()
    }
  }

  private func deliver(_ output: Output) {
    load -= weights.removeValue(forKey: taken) ?? 0
    taken += 1
    consume(output)
  }
}

/// State that the owner and the threads of a stream share.
private final class StreamState<Input: Sendable, Output: Sendable>: Sendable {
  private struct Contents {
    /// Pieces that have not been started, oldest last.
    var waiting: [(Int, Input)] = []
    var finished: [Int: Output] = [:]
  }

  private let contents = Mutex(Contents())
  private let somethingWaits = DispatchSemaphore(value: 0)
  let somethingFinished = DispatchSemaphore(value: 0)

  func add(_ index: Int, _ input: Input) {
    contents.withLock { $0.waiting.insert((index, input), at: 0) }
    somethingWaits.signal()
  }

  /// The oldest piece, or `nil` when the stream is closed.
  func next() -> (Int, Input)? {
    somethingWaits.wait()
    return contents.withLock { $0.waiting.popLast() }
  }

  func finish(_ index: Int, _ output: Output) {
    contents.withLock { $0.finished[index] = output }
    somethingFinished.signal()
  }

  func finished(_ index: Int) -> Output? {
    contents.withLock { $0.finished.removeValue(forKey: index) }
  }

  func close(width: Int) {
    for _ in 0..<width { somethingWaits.signal() }
  }
}
