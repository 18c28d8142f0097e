internal import Glibc

extension Double {
  /// A probability rounded to `digits` significant digits, so that it is printed alike everywhere; 0 for
  /// values too small to represent well.
  public func significant(_ digits: Int) -> Double {
    guard self > 1e-290, self < 1 else { return self < 1 ? 0 : self }
    let exponent = Int(log10(self).rounded(.down)) - digits + 1
    let number = Int((self * pow(10, Double(-exponent))).rounded())
    // A power of ten is inexact; reading the digits gives the nearest number.
    return Double("\(number)e\(exponent)") ?? self
  }
}
