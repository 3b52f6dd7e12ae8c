module example.com/orders

go 1.19

require mockapns v0.0.0

replace mockapns => ../../kits/go
