internal import Identifiers
internal import Synchronization

/// Times of arrival by the numbers of files, which several threads ask for.
final class ArrivalTimes: Sendable {
  private let times = Mutex<[Int: Timestamp]>([:])

  func set(_ time: Timestamp, of number: Int) { times.withLock { $0[number] = time } }
  func time(of number: Int) -> Timestamp? { times.withLock { $0[number] } }
}
