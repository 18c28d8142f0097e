public import Arguments
public import Updates

extension RemoteConfiguration.Kind: ArgumentValue {}
extension RemoteConfiguration.Frequency: ArgumentValue {}
