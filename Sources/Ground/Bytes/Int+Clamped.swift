/// Sums of numbers from outside, as far as they fit: no input may end the process.
extension Int {
  public func addingClamped(_ other: Int) -> Int {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? (other > 0 ? .max : .min) : sum
  }

  public func subtractingClamped(_ other: Int) -> Int {
    let (rest, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? (other > 0 ? .min : .max) : rest
  }
}
