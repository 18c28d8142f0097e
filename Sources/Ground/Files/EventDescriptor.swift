public import Bytes
internal import CFiles
internal import Glibc

/// Wakes a thread that waits for this object or for a descriptor. Source: eventfd(2).
public final class EventDescriptor: Sendable {
  private let file: OpenFile

  public init() throws(FileError) {
    let number = eventfd(0, O_CLOEXEC | O_NONBLOCK)  // EFD_ flags have the same values.
    guard number >= 0 else { throw FileError("make", path: "eventfd") }
    file = OpenFile(taking: number)
  }

  /// Ends the current wait, or the next one.
  public func ring() {
    var count: UInt64 = 1
    // A pending notification has the same effect.
    _ = write(file.number, &count, MemoryLayout<UInt64>.size)
  }

  /// Waits until ``ring()`` is called or `descriptor` has data to read.
  ///
  /// - Parameters:
  ///   - descriptor: -1 for none.
  ///   - milliseconds: The longest wait; negative for no limit.
  /// - Returns: Whether there is data to read.
  @discardableResult
  public func wait(for descriptor: Int32 = -1, milliseconds: Int32 = -1) -> Bool {
    var waiting = [
      pollfd(fd: file.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, 2, milliseconds) > 0 else { return false }
    if waiting[0].revents != 0 {
      var count: UInt64 = 0
      _ = read(file.number, &count, MemoryLayout<UInt64>.size)
    }
    return waiting[1].revents != 0
  }
}
