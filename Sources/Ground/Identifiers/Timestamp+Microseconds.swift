/// Times as databases keep them: microseconds since 1970.
extension Timestamp {
  public init(microseconds: Int) {
    var (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 {
      seconds -= 1
      rest += 1_000_000
    }
    self.init(seconds: Int64(seconds), nanoseconds: Int32(rest) * 1000)
  }

  /// Cut to the range of the years 0 to 9999.
  public var microseconds: Int {
    let seconds = min(max(self.seconds, -62_167_219_200), 253_402_300_799)
    return Int(seconds) * 1_000_000 + Int(min(max(nanoseconds, 0), 999_999_999)) / 1000
  }

  /// Whole days since 1970.
  public var day: Int {
    let seconds = microseconds
    return (seconds >= 0 ? seconds : seconds - 86_399_999_999) / 86_400_000_000
  }
}
