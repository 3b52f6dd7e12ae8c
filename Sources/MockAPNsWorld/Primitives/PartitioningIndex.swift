extension RandomAccessCollection {
    /// Returns the index of the first element that matches a condition, if all later elements match it too.
    package func partitioningIndex(where isMet: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isMet(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
