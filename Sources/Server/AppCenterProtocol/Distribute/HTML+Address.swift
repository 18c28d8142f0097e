internal import Rendering

extension HTML.Interpolation {
  /// Appends an address of this server, whole, where a shortened one would lead nowhere.
  mutating func appendInterpolation(address: String) { appendInterpolation(HTML(edited: address)) }
}
